-- When an indexer that follows a repository looked at all of its refs last, whether they had moved or not.
create table leadline.repository_look(
    repository integer primary key references leadline.repository on delete cascade,
    looked_at timestamptz not null default now());

-- How many repositories are followed, and how many seconds ago the one of them was looked at that waits for longest.
create function leadline.looks(out repositories bigint, out oldest_seconds double precision)
language sql stable security definer set search_path = leadline, pg_temp as
$$ select count(*), extract(epoch from clock_timestamp() - min(looked_at)) from leadline.repository_look $$;
