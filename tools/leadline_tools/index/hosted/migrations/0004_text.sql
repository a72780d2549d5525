-- The text of a content as trigrams are made of it: ASCII in lower case, every other byte as \ooo. No bytes make this
-- fail, and no collation of the database changes it. The cost keeps it from being computed for each row of a table.
create function leadline.searched(body bytea) returns text
language plpgsql immutable strict parallel safe cost 20000 as $$
begin
    return pg_catalog.lower(pg_catalog.encode(body, 'escape') collate "C");
end $$;

-- Whether a text may hold what its bytes do not show: it is large, so that it has no trigrams, it is spelled in UTF-16
-- or UTF-32, or it has the Kelvin sign or the long s, which are letters of ASCII in another case (UTF-8, GB 18030).
create function leadline.is_unclear(body bytea) returns boolean
language plpgsql immutable strict parallel safe cost 20000 as $$
begin
    return pg_catalog.octet_length(body) > 1048576
        or pg_catalog.substr(body, 1, 2) in ('\xfffe', '\xfeff') or pg_catalog.substr(body, 1, 4) = '\x0000feff'
        or position('\xe284aa'::bytea in body) > 0 or position('\xc5bf'::bytea in body) > 0
        or position('\x8136bf32'::bytea in body) > 0 or position('\x81309737'::bytea in body) > 0;
end $$;

create index content_trigrams on leadline.content using gin (leadline.searched(body) public.gin_trgm_ops)
    where octet_length(body) <= 1048576;
create index content_unclear on leadline.content(blob) where leadline.is_unclear(body);

-- From contents to those who have them, without a look at the table.
create index holder_of_blob on leadline.holder(blob, repository);
drop index leadline.holder_blob;
drop index leadline.posting_name;

-- How often a repository, a ref or who may see them has changed, in the order of commits: a question that finds the
-- number that it knows need not read them. It is raised last in a transaction, once, so that others wait for moments.
create table leadline.index_change(id boolean primary key default true check (id), number bigint not null);
insert into leadline.index_change(number) values(0);
create function leadline.note_change() returns trigger language plpgsql as $$
begin
    update leadline.index_change set number = number + 1 where xmin <> pg_catalog.pg_current_xact_id()::xid;
    return null;
end $$;
create constraint trigger changed after insert or update or delete on leadline.repository
    deferrable initially deferred for each row execute function leadline.note_change();
create constraint trigger changed after insert or update or delete on leadline.ref
    deferrable initially deferred for each row execute function leadline.note_change();
create constraint trigger changed after insert or update or delete on leadline.repository_team
    deferrable initially deferred for each row execute function leadline.note_change();
