#!/bin/sh
# Creates the role of the servers, once, when the database is made: see "Roles of the database" in docs/team.md.
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set "word=$SERVER_PASSWORD" <<'END'
create role leadline_server login password :'word';
END
