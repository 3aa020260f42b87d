import type { ChangeLog, LoggedTable } from '../../change-log.js'
import { CHANGES_TABLE, LOG_TABLE, quoteName, textLiteral, triggerName } from '../../change-log.js'
import { parameter, raw, sql } from '../../sql-text.js'
import { equalsOtherStrings } from './column-types.js'

const newEpoch = 'substr(md5(random()::text || clock_timestamp()::text), 1, 12)'
/** 244 bits of a strong generator. */
const newSecret = 'gen_random_uuid()::text || gen_random_uuid()::text'

/** A snapshot with more running transactions is shortened to the first of them, which repeats changes but loses none. */
const MAX_RUNNING = 400

/**
 * Positions are snapshots: a transaction that is not visible in one has changes after it, whenever it began. Numbers of a
 * sequence would be given out before transactions commit, and hide those that commit late.
 */
export const postgresChangeLog: ChangeLog = {
  create: (schema, lacksSecret) => [
    `create table if not exists ${schema}.${CHANGES_TABLE} (
  seq bigserial primary key,
  xid xid8 not null default pg_current_xact_id(),
  set_name text not null,
  key jsonb not null,
  old jsonb,
  at timestamptz not null default clock_timestamp()
)`,
    `create index if not exists ${CHANGES_TABLE}_xid on ${schema}.${CHANGES_TABLE} (set_name, xid)`,
    `create table if not exists ${schema}.${LOG_TABLE} (
  id int primary key check (id = 1),
  epoch text not null,
  floor xid8 not null,
  secret text,
  created timestamptz not null default clock_timestamp()
)`,
    ...(lacksSecret ? [`alter table ${schema}.${LOG_TABLE} add column if not exists secret text`] : []),
    `insert into ${schema}.${LOG_TABLE} (id, epoch, floor) values (1, ${newEpoch}, '0') on conflict do nothing`,
    `update ${schema}.${LOG_TABLE} set epoch = ${newEpoch}, secret = ${newSecret} where secret is null`,
  ],
  track,
  schema: sql`select quote_ident(current_schema()) as "name"`,
  lacksSecret: sql`select 1 as "n" where to_regclass('odata_change_log') is not null and not exists (select from pg_attribute
    where attrelid = to_regclass('odata_change_log') and attname = 'secret' and not attisdropped)`,
  current: sql`select epoch, secret, floor::text as "floor", pg_current_snapshot()::text as "position" from odata_change_log`,
  triggers: sql`select tgname as "name" from pg_catalog.pg_trigger where tgname like 'odata\\_log\\_%'`,
  detectRestore: sql`select 1 as "n" from odata_changes where xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`,
  renew: raw(`update ${LOG_TABLE} set epoch = ${newEpoch}, secret = ${newSecret}`),
  prune: (before) => [
    sql`with removed as (delete from odata_changes where at < ${parameter(before)} returning xid),
      noted as (update odata_change_log set floor = greatest(floor, (select max(xid) from removed)) where exists (select from removed))
      select count(*) as "n" from removed`,
  ],
  format,
  after,
  keys: ({ quoted, set }, condition) =>
    `(select k.* from (select distinct c.key from ${CHANGES_TABLE} as c where ${ofSet(set)} and ${condition}) as c, jsonb_populate_record(null::${quoted}, c.key) as k)`,
  states({ quoted, set }, condition, needed) {
    // A function has at most 100 parameters.
    const parts: string[] = []
    for (let from = 0; from < needed.length; from += 50) {
      const pairs = needed
        .slice(from, from + 50)
        .map((name) => `${textLiteral(name)}, c.old->${textLiteral(name)}`)
      parts.push(`jsonb_build_object(${pairs.join(', ')})`)
    }
    const image = [...parts, 'c.key'].join(' || ')
    const states = `select distinct ${image} as image from ${CHANGES_TABLE} as c where ${ofSet(set)} and ${condition} and c.old is not null`
    return `(select k.* from (${states}) as c, jsonb_populate_record(null::${quoted}, c.image) as k)`
  },
}

function ofSet(set: string): string {
  return `c.set_name = ${textLiteral(set)}`
}

/** Returns a trigger for each statement, whose function writes the log with the rights of its owner. */
function track(table: LoggedTable, schema: string): readonly string[] {
  const { binary, facts, key, quoted, set } = table
  const log = `insert into ${schema}.${CHANGES_TABLE} (set_name, key, old) select ${textLiteral(set)}`
  const keyOf = (alias: string): string =>
    `jsonb_build_object(${key.map((name) => `${textLiteral(name)}, ${alias}.${quoteName(name)}`).join(', ')})`
  const image =
    binary.length === 0 ? 'to_jsonb(o)' : `to_jsonb(o) - array[${binary.map(textLiteral).join(', ')}]::text[]`
  const sameKey = key
    .map((name) => {
      const [before, after] = [`o.${quoteName(name)}`, `n.${quoteName(name)}`]
      const column = facts.get(name)
      return column !== undefined && equalsOtherStrings(column)
        ? `${before}::text collate pg_catalog."C" = ${after}::text collate pg_catalog."C"`
        : `${before} = ${after}`
    })
    .join(' and ')
  const name = `${schema}.${quoteName(triggerName('function', set))}`
  const truncated = `${schema}.${quoteName(triggerName('truncated', set))}`
  const settings =
    "set search_path = pg_catalog, pg_temp set timezone = 'UTC' set intervalstyle = 'postgres' set bytea_output = 'hex' set extra_float_digits = 1"
  const trigger = (event: string, timing: string, execute: string): readonly string[] => {
    const own = quoteName(triggerName(event, set))
    return [
      `drop trigger if exists ${own} on ${quoted}`,
      `create trigger ${own} ${timing} for each statement execute function ${execute}()`,
      `alter table ${quoted} enable always trigger ${own}`,
    ]
  }
  return [
    `create or replace function ${name}() returns trigger language plpgsql security definer ${settings} as $log$
begin
  if tg_op = 'INSERT' then
    ${log}, ${keyOf('n')}, null from odata_new as n;
  elsif tg_op = 'DELETE' then
    ${log}, ${keyOf('o')}, ${image} from odata_old as o;
  else
    ${log}, ${keyOf('o')}, ${image} from odata_old as o;
    ${log}, ${keyOf('n')}, null from odata_new as n where not exists (select from odata_old as o where ${sameKey});
  end if;
  return null;
end $log$`,
    `create or replace function ${truncated}() returns trigger language plpgsql security definer ${settings} as $log$
begin
  update ${schema}.${LOG_TABLE} set epoch = ${newEpoch};
  return null;
end $log$`,
    ...trigger('insert', `after insert on ${quoted} referencing new table as odata_new`, name),
    ...trigger(
      'update',
      `after update on ${quoted} referencing old table as odata_old new table as odata_new`,
      name,
    ),
    ...trigger('delete', `after delete on ${quoted} referencing old table as odata_old`, name),
    ...trigger('truncate', `before truncate on ${quoted}`, truncated),
  ]
}

/** Shortens the text of a snapshot, `10:20:12,15`, to `10:10:2-5`. */
function format(snapshot: string): string {
  const [xmin = '', xmax = '', running = ''] = snapshot.split(':')
  const first = BigInt(xmin)
  const numbers = running === '' ? [] : running.split(',')
  if (numbers.length > MAX_RUNNING) return `${xmin}:0:`
  return `${xmin}:${String(BigInt(xmax) - first)}:${numbers.map((one) => String(BigInt(one) - first)).join('-')}`
}

function after(position: string, floor: string, current: string): string | undefined {
  const [, xmin, difference = '', running = ''] =
    /^([1-9]\d{0,18}):(\d{1,18}):((?:\d{1,18}(?:-\d{1,18})*)?)$/.exec(position) ?? []
  if (xmin === undefined) return undefined
  const first = BigInt(xmin)
  const end = BigInt(difference)
  const numbers = running === '' ? [] : running.split('-').map(BigInt)
  const isSnapshot = numbers.every(
    (one, index) => one < end && (index === 0 || one > (numbers[index - 1] ?? 0n)),
  )
  const [, present = '0'] = current.split(':')
  if (!isSnapshot || first <= BigInt(floor) || first + end > BigInt(present)) return undefined
  const list = numbers.map((one) => String(first + one)).join(',')
  const snapshot = `${xmin}:${String(first + end)}:${list}`
  return `c.xid >= '${xmin}'::xid8 and not pg_visible_in_snapshot(c.xid, '${snapshot}'::pg_snapshot)`
}
