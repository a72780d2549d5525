-- The teams that may see a repository; * stands for everyone whom the server answers. Without a row, nobody does.
create table leadline.repository_team(
    repository integer not null references leadline.repository on delete cascade,
    team text collate "C" not null check (team <> ''),
    primary key(repository, team));
create index repository_team_team on leadline.repository_team(team, repository);
insert into leadline.repository_team(repository, team) select id, '*' from leadline.repository;

-- The files of the manifest, which nobody has to unpack to count them.
alter table leadline.ref add column files integer not null default 0;

-- Row security is the second line: the first is that every question names the teams that it is for. A transaction that
-- reads says for which teams (leadline.teams, one a line), and one that does not say so sees no repository. Who writes
-- the index says that it does (leadline.writes), which counts for roles that may write.
create function leadline.viewing_teams() returns text[] language sql stable parallel safe as
$$ select string_to_array(nullif(current_setting('leadline.teams', true), ''), e'\n') $$;

create function leadline.is_writer() returns boolean language sql stable parallel safe as
$$ select coalesce(current_setting('leadline.writes', true), '') = 'on'
    and has_table_privilege('leadline.repository', 'insert') $$;

alter table leadline.repository_team enable row level security;
alter table leadline.repository_team force row level security;
create policy viewers on leadline.repository_team for select
    using (team = any((select leadline.viewing_teams())::text[]));
create policy writers on leadline.repository_team
    using ((select leadline.is_writer())) with check ((select leadline.is_writer()));

alter table leadline.repository enable row level security;
alter table leadline.repository force row level security;
create policy viewers on leadline.repository for select
    using (exists (select from leadline.repository_team where repository = id));
create policy writers on leadline.repository
    using ((select leadline.is_writer())) with check ((select leadline.is_writer()));

alter table leadline.ref enable row level security;
alter table leadline.ref force row level security;
create policy viewers on leadline.ref for select
    using (exists (select from leadline.repository_team team where team.repository = ref.repository));
create policy writers on leadline.ref
    using ((select leadline.is_writer())) with check ((select leadline.is_writer()));

alter table leadline.vocabulary enable row level security;
alter table leadline.vocabulary force row level security;
create policy viewers on leadline.vocabulary for select
    using (exists (select from leadline.ref shown where shown.id = vocabulary.ref));
create policy writers on leadline.vocabulary
    using ((select leadline.is_writer())) with check ((select leadline.is_writer()));

-- What a server has to know of all repositories, whoever may see them: for webhooks and for metrics. The functions run
-- as who migrates, and put back the setting that lets them see all: only an administrator could attach it to them.
create function leadline.has_repository(wanted text) returns boolean
language plpgsql security definer set search_path = leadline, pg_temp as
$$
declare
    before text := coalesce(current_setting('leadline.writes', true), '');
    found_it boolean;
begin
    perform set_config('leadline.writes', 'on', true);
    found_it := exists (select from leadline.repository where name = wanted);
    perform set_config('leadline.writes', before, true);
    return found_it;
end $$;

create function leadline.count_files(wanted_rules text, out refs bigint, out files bigint)
language plpgsql security definer set search_path = leadline, pg_temp as
$$
declare
    before text := coalesce(current_setting('leadline.writes', true), '');
begin
    perform set_config('leadline.writes', 'on', true);
    select count(*), coalesce(sum(ref.files), 0)::bigint into refs, files
        from leadline.ref where rules = wanted_rules and moves > 0;
    perform set_config('leadline.writes', before, true);
end $$;
