-- An underscore is no letter for pg_trgm, so a part of parse_url had only the trigrams of parse and url, which are in
-- many contents. As a letter it makes trigrams of its own. Texts with a q in its place are
-- found too; the server looks into what is found.
drop index leadline.content_trigrams;
create or replace function leadline.searched(body bytea) returns text
language plpgsql immutable strict parallel safe cost 20000 as $$
begin
    return pg_catalog.replace(pg_catalog.lower(pg_catalog.encode(body, 'escape') collate "C") collate "C", '_', 'q');
end $$;
create index content_trigrams on leadline.content using gin (leadline.searched(body) public.gin_trgm_ops)
    where octet_length(body) <= 1048576;
