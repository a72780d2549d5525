-- Since when no ref has a blob that its repository holds; null while one has it. What is new waits for its first ref.
alter table leadline.holder add column unused_since timestamptz default now();
update leadline.holder set unused_since = null where refs <> 0;
create index holder_unused on leadline.holder(repository, unused_since) where unused_since is not null;

-- When sources listed a repository last; null for one that no list ever had.
alter table leadline.repository add column listed_at timestamptz;

-- The day on which a question used the facts last: those unused for longest make room.
alter table leadline.facts add column used date not null default current_date;
create index facts_used on leadline.facts(used);

-- Servers may not write the index, but for this.
create function leadline.note_facts_used(wanted integer[]) returns void
language sql security definer set search_path = leadline, pg_temp as
$$ update leadline.facts set used = current_date where blob = any(wanted) and used < current_date $$;
