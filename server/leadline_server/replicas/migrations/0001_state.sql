-- What is random and shared by all replicas: the key of the ids of results.
create table leadline.secret(name text primary key, value bytea not null);

-- Complete results. Without items once they expired: the question stays, so that an old URI can say how to ask again.
create table leadline.answer(
    id text primary key,
    owner bytea not null,
    question text not null,
    frame bytea,
    kind text not null,
    items bytea,
    size bigint not null,
    created timestamptz not null default now(),
    used timestamptz not null default now());
alter table leadline.answer alter column items set storage external; -- compressed already
create index answer_used on leadline.answer(used) where items is not null;
create index answer_created on leadline.answer(created);

-- The files on which an edit was previewed, by their digests.
create table leadline.preview(question text primary key, before text not null, at timestamptz not null default now());

-- A turn of a client. What its running calls hold counts as spent until they end.
create table leadline.turn(
    principal bytea primary key,
    name bytea not null default '',
    epoch uuid not null default gen_random_uuid(),
    spent bigint not null default 0,
    calls bigint not null default 0,
    floored bigint not null default 0,
    at timestamptz not null default clock_timestamp());
create index turn_at on leadline.turn(at);

-- The answers that a turn with a name has seen, and the most tokens that each was given.
create table leadline.seen(
    principal bytea not null,
    uri text not null,
    tokens bigint not null,
    at timestamptz not null default now(),
    primary key(principal, uri));
create index seen_at on leadline.seen(at);

-- The ledger: what every server served, and every call.
create table leadline.session(
    id text primary key,
    at timestamptz not null default now(),
    model text not null,
    family text not null,
    price double precision,
    schema integer);
create table leadline.call(
    id bigint generated always as identity primary key,
    at timestamptz not null,
    session text not null,
    principal text not null,
    tool text not null,
    estimated bigint not null,
    sent bigint not null,
    whole bigint not null,
    files bigint not null,
    charged bigint not null,
    client text not null,
    kind text not null,
    sampled boolean not null,
    error boolean not null,
    offered bigint not null,
    came bigint not null);
create index call_principal on leadline.call(principal, at);
create index call_at on leadline.call(at);
create index call_offered on leadline.call(id) where offered > 0;
create table leadline.reset(principal text primary key, at timestamptz not null);

-- The replicas that run, as far as they were heard of lately.
create table leadline.replica(id text primary key, version text not null, at timestamptz not null default now());
create index replica_at on leadline.replica(at);
