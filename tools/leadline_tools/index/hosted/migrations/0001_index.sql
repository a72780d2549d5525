create extension if not exists pg_trgm with schema public;

create table leadline.repository(
    id integer generated always as identity primary key,
    name text not null unique,
    url text not null default '');

-- Slot is the bit of the ref in holder.refs. Moves counts how often the manifest was replaced.
create table leadline.ref(
    id integer generated always as identity primary key,
    repository integer not null references leadline.repository on delete cascade,
    name text not null,
    slot smallint not null check (slot between 0 and 62),
    commit text not null,
    indexed_at timestamptz not null default now(),
    moves bigint not null default 1,
    rules text not null,
    manifest bytea not null,
    unique(repository, name),
    unique(repository, slot));

-- Git is the id of the content in git; rules name the version of all that decides what is known of it.
create table leadline.blob(
    id integer generated always as identity primary key,
    git bytea not null,
    form text not null,
    rules text not null,
    kind smallint not null,
    digest bytea not null,
    size bigint not null,
    lines integer not null,
    done smallint not null,
    error text not null,
    created_at timestamptz not null default now(),
    unique(git, form, rules));

create table leadline.holder(
    repository integer not null references leadline.repository on delete cascade,
    blob integer not null references leadline.blob,
    refs bigint not null default 0,
    primary key(repository, blob));
create index holder_blob on leadline.holder(blob);

-- What is known of a content, as bytes; names has the words by which the blob is found, one a line, deflated.
create table leadline.outline(blob integer primary key references leadline.blob on delete cascade,
    packed bytea not null, names bytea not null);
create table leadline.included(blob integer primary key references leadline.blob on delete cascade, packed bytea not null);
create table leadline.related(blob integer primary key references leadline.blob on delete cascade, packed bytea not null);
create table leadline.facts(blob integer primary key references leadline.blob on delete cascade, packed bytea not null);

-- The bytes of a text as git has them; where they hold keys, the text as answers show it. None of what is no text.
create table leadline.content(
    blob integer not null references leadline.blob on delete cascade,
    body bytea not null,
    primary key(blob)) partition by hash(blob);
do $$ begin
    for part in 0..15 loop
        execute format(
            'create table leadline.content_%s partition of leadline.content for values with (modulus 16, remainder %s)',
            part, part);
        execute format('alter table leadline.content_%s alter column body set compression lz4', part);
    end loop;
exception when feature_not_supported or invalid_parameter_value then null; -- a server without lz4 has its own method
end $$;

-- Kind is t for the words of texts, n for those of names. Words are ordered by bytes, so a beginning is a range.
create table leadline.posting(
    repository integer not null references leadline.repository on delete cascade,
    kind "char" not null,
    word text collate "C" not null,
    blobs integer[] not null,
    primary key(repository, kind, word));
create index posting_name on leadline.posting using gin (word public.gin_trgm_ops) where kind = 'n';

-- The names of the definitions of a ref that have one length and case, as the vocabulary packs them.
create table leadline.vocabulary(
    ref integer not null references leadline.ref on delete cascade,
    length integer not null,
    spelling smallint not null,
    names bytea not null,
    counts bytea not null,
    primary key(ref, length, spelling));
