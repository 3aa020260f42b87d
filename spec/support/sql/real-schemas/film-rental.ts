import type { DatabaseKind } from '../model-tables.js'

const common = (kind: DatabaseKind): readonly string[] => [
  "insert into languages values (1, 'English', '2020-02-15 10:02:19'), (2, 'Français', '2020-02-15 10:02:19')",
  "insert into actors values (1, 'PENELOPE', 'GUINESS'), (2, 'NICK', 'WAHLBERG'), (3, 'Zoë', '')",
  ...(kind === 'sqlite' ? [] : ['insert into film_actors values (1, 1), (1, 2), (2, 1), (3, 3)']),
]

/**
 * Films to rent, with the features of each database: enumerations, sets, years, geometries, full text, arrays, domains,
 * partitions, generated columns, triggers, composite foreign keys, and two references to the same table.
 */
export const filmRental: Readonly<Record<DatabaseKind, readonly string[]>> = {
  sqlite: [
    'create table languages (id integer primary key, name char(20) not null, last_update timestamp not null default current_timestamp)',
    'create table actors (id integer primary key, first_name text, last_name text)',
    `create table films (id integer primary key, title text not null, description blob_text, release_year year,
      language_id smallint not null references languages, original_language_id smallint references languages,
      rate decimal(4,2) default 4.99, rating text check (rating in ('G', 'PG', 'R')), special json,
      long_title text generated always as (title || ' (' || coalesce(release_year, '?') || ')') virtual)`,
    'create table film_actors (actor_id int references actors, film_id int references films, primary key (actor_id, film_id)) without rowid',
    'create table stores (country char(2), number int, manager text, primary key (country, number))',
    `create table inventory (id integer primary key, film_id int references films, country char(2), number int,
      foreign key (country, number) references stores (country, number))`,
    "create virtual table film_words using fts5(title, content='films', content_rowid='id')",
    `create view film_list as select f.id, f.title, count(a.actor_id) as actors, group_concat(a.actor_id) as ids
      from films f left join film_actors a on a.film_id = f.id group by f.id, f.title`,
    'create table "select" ("from where" text primary key, "order" int)',
    ...common('sqlite'),
    `insert into films (id, title, description, release_year, language_id, original_language_id, rate, rating, special) values
      (1, 'ACADEMY', 'A "quoted" epic', 2006, 1, null, 0.99, 'PG', '["Trailers"]'), (2, 'ACE', null, null, 1, 2, 4.99, null, null),
      (3, 'Été', '', 1901, 2, 1, 2, 'G', '[]')`,
    'insert into film_actors values (1, 1), (1, 2), (2, 1), (3, 3)',
    "insert into stores values ('DE', 1, 'Ada'), ('DE', 2, null), ('FR', 1, 'Zoé')",
    "insert into inventory values (1, 1, 'DE', 1), (2, 1, 'DE', 2), (3, 3, 'FR', 1), (4, 2, null, null)",
    `insert into "select" values ('a b', 1), ('', 2), ('c/d', 3)`,
  ],
  postgres: [
    "create type rating as enum ('G', 'PG', 'R')",
    'create domain year as integer check (value between 1901 and 2155)',
    'create table languages (id int primary key, name char(20) not null, last_update timestamptz not null default now())',
    'create table actors (id int primary key, first_name text, last_name text)',
    `create table films (id int primary key, title text not null, description text, release_year year,
      language_id int not null references languages, original_language_id int references languages, rate numeric(4,2) default 4.99,
      rating rating default 'G', special text[], words tsvector, area point, open daterange,
      long_title text generated always as (title || '!') stored, touched int not null default 0)`,
    `create function touch() returns trigger language plpgsql as
      $$ begin new.words = to_tsvector('simple', new.title); return new; end $$`,
    'create trigger touch before insert or update on films for each row execute function touch()',
    'create table film_actors (actor_id int references actors, film_id int references films, primary key (actor_id, film_id))',
    'create table stores (country char(2), number int, manager text, primary key (country, number))',
    `create table inventory (id int primary key, film_id int references films, country char(2), number int,
      foreign key (country, number) references stores (country, number))`,
    `create table payments (id int, at timestamptz, amount numeric(5,2), film_id int references films, primary key (id, at)) partition by range (at)`,
    "create table payments_2020 partition of payments for values from ('2020-01-01') to ('2021-01-01')",
    "create table payments_2021 partition of payments for values from ('2021-01-01') to ('2022-01-01')",
    `create view film_list as select f.id, f.title, count(a.actor_id) as actors, array_agg(a.actor_id order by a.actor_id) as ids
      from films f left join film_actors a on a.film_id = f.id group by f.id, f.title`,
    `create materialized view film_count as select coalesce(rating::text, '?') as rating, count(*) as n from films group by 1`,
    'create table "select" ("from where" text primary key, "order" int)',
    ...common('postgres').slice(0, 2),
    `insert into films (id, title, description, release_year, language_id, original_language_id, rate, rating, special, area, open) values
      (1, 'ACADEMY', 'A "quoted" epic', 2006, 1, null, 0.99, 'PG', '{Trailers,"Deleted Scenes"}', '(1.5,-2)', '[2020-01-01,2020-02-01)'),
      (2, 'ACE', null, null, 1, 2, 4.99, null, null, null, null), (3, 'Été', '', 1901, 2, 1, 2, 'G', '{}', '(0,0)', 'empty')`,
    ...common('postgres').slice(2),
    "insert into stores values ('DE', 1, 'Ada'), ('DE', 2, null), ('FR', 1, 'Zoé')",
    "insert into inventory values (1, 1, 'DE', 1), (2, 1, 'DE', 2), (3, 3, 'FR', 1), (4, 2, null, null)",
    "insert into payments values (1, '2020-05-01 10:00Z', 1.99, 1), (2, '2021-05-01 10:00:00.5Z', 0, 1), (1, '2021-05-01Z', 5, 3)",
    `insert into "select" values ('a b', 1), ('', 2), ('c/d', 3)`,
    'refresh materialized view film_count',
  ],
  mysql: [
    'create table languages (id tinyint unsigned primary key, name char(20) not null, last_update timestamp not null default current_timestamp on update current_timestamp)',
    'create table actors (id smallint unsigned primary key, first_name varchar(45), last_name varchar(45), index (last_name))',
    `create table films (id smallint unsigned primary key, title varchar(128) not null, description text, release_year year,
      language_id tinyint unsigned not null, original_language_id tinyint unsigned, rate decimal(4,2) default 4.99,
      rating enum('G', 'PG', 'R') default 'G', special set('Trailers', 'Deleted Scenes'), place geometry,
      long_title varchar(200) generated always as (concat(title, '!')) stored, fulltext (title, description),
      foreign key (language_id) references languages (id), foreign key (original_language_id) references languages (id))`,
    `create table film_actors (actor_id smallint unsigned, film_id smallint unsigned, primary key (actor_id, film_id),
      foreign key (actor_id) references actors (id), foreign key (film_id) references films (id))`,
    'create table stores (country char(2), number int, manager varchar(20), primary key (country, number))',
    `create table inventory (id int primary key, film_id smallint unsigned, country char(2), number int,
      foreign key (film_id) references films (id), foreign key (country, number) references stores (country, number))`,
    'create table payments (id int, at datetime(3), amount decimal(5,2), primary key (id, at)) partition by hash (id) partitions 2',
    `create view film_list as select f.id, f.title, count(a.actor_id) as actors, group_concat(a.actor_id) as ids
      from films f left join film_actors a on a.film_id = f.id group by f.id, f.title`,
    'create table `select` (`from where` varchar(20) primary key, `order` int)',
    ...common('mysql').slice(0, 2),
    `insert into films (id, title, description, release_year, language_id, original_language_id, rate, rating, special, place) values
      (1, 'ACADEMY', 'A "quoted" epic', 2006, 1, null, 0.99, 'PG', 'Trailers,Deleted Scenes', point(1.5, -2)),
      (2, 'ACE', null, null, 1, 2, 4.99, null, null, null), (3, 'Été', '', 1901, 2, 1, 2, 'G', '', st_geomfromtext('POINT(8 49)', 4326))`,
    ...common('mysql').slice(2),
    "insert into stores values ('DE', 1, 'Ada'), ('DE', 2, null), ('FR', 1, 'Zoé')",
    "insert into inventory values (1, 1, 'DE', 1), (2, 1, 'DE', 2), (3, 3, 'FR', 1), (4, 2, null, null)",
    "insert into payments values (1, '2020-05-01 10:00', 1.99), (2, '2021-05-01 10:00:00.5', 0), (1, '2021-05-01', 5)",
    "insert into `select` values ('a b', 1), ('', 2), ('c/d', 3)",
  ],
}
