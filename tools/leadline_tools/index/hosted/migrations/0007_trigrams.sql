-- What separates words was part of no trigram, so a text of two words had the trigrams of all contents that have both
-- words somewhere. Now each sign counts as a letter or a digit that is rare in texts, and only lines end words. The
-- trigrams are an array: its index finds contents that have all of some trigrams without reading them. Only these are
-- compared with the text. For the trigrams of 0006, PostgreSQL read every content that it found, and found more.
drop index leadline.content_trigrams;
drop function leadline.searched(bytea);

create function leadline.replaced(content text, signs text, letter text) returns text
language plpgsql immutable strict parallel safe as $$
declare
    changed text collate "C" := content;
begin
    for at in 1 .. pg_catalog.length(signs) loop
        changed := pg_catalog.replace(changed, pg_catalog.substr(signs, at, 1), letter);
    end loop;
    return changed;
end $$;

-- The trigrams of the text of a content: ASCII in lower case, every other byte as \ooo. No bytes make this fail, and no
-- collation of the database changes it. The signs are those of trigram_engine.py. The cost keeps it from being computed
-- for each row of a table.
create function leadline.trigrams(body bytea) returns text[]
language plpgsql immutable strict parallel safe cost 100000 as $$
declare
    content text collate "C" := pg_catalog.lower(pg_catalog.encode(body, 'escape') collate "C");
begin
    content := leadline.replaced(content, e' \t', 'j');
    content := leadline.replaced(content, '_', '7');
    content := leadline.replaced(content, '.', '9');
    content := leadline.replaced(content, '-', '8');
    content := leadline.replaced(content, '()', '6');
    content := leadline.replaced(content, ',;', '5');
    content := leadline.replaced(content, '"''`', '4');
    content := leadline.replaced(content, '=', '3');
    content := leadline.replaced(content, ':', 'z');
    content := leadline.replaced(content, e'/\\', 'x');
    content := leadline.replaced(content, '!#$%&*+<>?@[]^{|}~', 'q');
    return public.show_trgm(content);
end $$;
create index content_trigrams on leadline.content using gin ((leadline.trigrams(body)) collate "C")
    where octet_length(body) <= 1048576;

-- The planner is to keep no statistics of trigrams: for these it would make those of thousands of contents, again and
-- again, and needs none.
do $$
declare
    part regclass;
begin
    for part in select inhrelid from pg_catalog.pg_inherits where inhparent = 'leadline.content_trigrams'::regclass loop
        execute pg_catalog.format('alter index %s alter column 1 set statistics 0', part);
    end loop;
end $$;
