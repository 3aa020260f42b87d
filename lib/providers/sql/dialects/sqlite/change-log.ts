import type { ChangeLog, LoggedTable, UniqueColumn } from '../../change-log.js'
import { CHANGES_TABLE, LOG_TABLE, quoteName, textLiteral, triggerName } from '../../change-log.js'
import { parameter, raw, sql } from '../../sql-text.js'

const newEpoch = 'lower(hex(randomblob(6)))'
const newSecret = 'lower(hex(randomblob(32)))'
/** Some versions allow 127 parameters of a function. */
const MAX_PAIRS = 60

/**
 * Positions are numbers: a transaction holds the only write lock from its first change to its end, so that numbers are in
 * the order of the commits. Without `autoincrement`, numbers would repeat after the removal of changes.
 */
export const sqliteChangeLog: ChangeLog = {
  create: (_schema, lacksSecret) => [
    `create table if not exists ${CHANGES_TABLE} (
  seq integer primary key autoincrement,
  set_name text not null,
  key text not null,
  old text,
  at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
)`,
    `create index if not exists ${CHANGES_TABLE}_set on ${CHANGES_TABLE} (set_name, seq)`,
    `create table if not exists ${LOG_TABLE} (
  id integer primary key check (id = 1),
  epoch text not null,
  floor integer not null,
  secret text,
  created text not null default (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
)`,
    ...(lacksSecret ? [`alter table ${LOG_TABLE} add column secret text`] : []),
    `insert into ${LOG_TABLE} (id, epoch, floor) values (1, ${newEpoch}, 0) on conflict do nothing`,
    `update ${LOG_TABLE} set epoch = ${newEpoch}, secret = ${newSecret} where secret is null`,
  ],
  track,
  schema: sql`select 'main' as "name"`,
  lacksSecret: sql`select 1 as "n" from sqlite_master where type = 'table' and name = 'odata_change_log'
    and not exists (select 1 from pragma_table_info('odata_change_log') where name = 'secret')`,
  current: sql`select epoch, secret, cast(floor as text) as "floor",
    cast(max(floor, coalesce((select max(seq) from odata_changes), 0)) as text) as "position" from odata_change_log`,
  triggers: sql`select name from sqlite_master where type = 'trigger' and name like 'odata\\_log\\_%' escape '\\'`,
  // Without partial indexes and those of expressions, through which the triggers could not find rows.
  uniqueKeys: sql`select m.name as "table", l.name as "index", x.name as "name", x.coll as "collation"
    from sqlite_master as m, pragma_index_list(m.name) as l, pragma_index_xinfo(l.name) as x
    where m.type = 'table' and l."unique" = 1 and l.origin <> 'pk' and x.key = 1 and l.partial = 0
      and not exists (select 1 from pragma_index_xinfo(l.name) as e where e.key = 1 and e.name is null)
    union all select m.name, '', t.name, null from sqlite_master as m, pragma_table_info(m.name) as t
    where m.type = 'table' and t.pk > 0`,
  renew: raw(`update ${LOG_TABLE} set epoch = ${newEpoch}, secret = ${newSecret}`),
  prune: (before) => {
    const old = sql`at < ${parameter(before.toISOString())}`
    return [
      sql`update odata_change_log set floor = max(floor, coalesce((select max(seq) from odata_changes where ${old}), 0))`,
      sql`delete from odata_changes where ${old} and seq <= (select floor from odata_change_log)`,
      sql`select changes() as "n"`,
    ]
  },
  format: (position) => position,
  after: (position, floor, current) => {
    if (!/^\d{1,18}$/.test(position)) return undefined
    const isKnown = BigInt(position) >= BigInt(floor) && BigInt(position) <= BigInt(current)
    return isKnown ? `c.seq > ${position}` : undefined
  },
  keys({ columns, key, set }, condition) {
    const selected = columns.map((name) =>
      key.includes(name) ? decoded('c.key', name) : `null as ${quoteName(name)}`,
    )
    return `(select ${selected.join(', ')} from (select distinct c.key from ${CHANGES_TABLE} as c where ${ofSet(set)} and ${condition}) as c)`
  },
  states({ columns, key, set }, condition, needed) {
    const selected = columns.map((name) => {
      if (key.includes(name)) return decoded('c.key', name)
      return needed.includes(name) ? decoded('c.old', name) : `null as ${quoteName(name)}`
    })
    return `(select distinct ${selected.join(', ')} from ${CHANGES_TABLE} as c where ${ofSet(set)} and ${condition} and c.old is not null)`
  },
}

function ofSet(set: string): string {
  return `c.set_name = ${textLiteral(set)}`
}

/** Returns a value of an image. JSON has neither bytes nor all digits of numbers, so that values have their type. */
function decoded(image: string, name: string): string {
  const path = (index: number): string => textLiteral(`$.${JSON.stringify(name)}[${String(index)}]`)
  const value = `json_extract(${image}, ${path(1)})`
  return `case json_extract(${image}, ${path(0)}) when 'real' then cast(${value} as real) when 'blob' then unhex(${value}) else ${value} end as ${quoteName(name)}`
}

/** Returns the image of some columns of a row. @param row alias */
function imageOf(row: string, names: readonly string[]): string {
  const parts: string[] = []
  for (let from = 0; from < names.length; from += MAX_PAIRS) {
    const pairs = names.slice(from, from + MAX_PAIRS).map((name) => {
      const column = `${row}.${quoteName(name)}`
      return `${textLiteral(name)}, json_array(typeof(${column}), case typeof(${column}) when 'real' then printf('%!.17g', ${column}) when 'blob' then hex(${column}) else ${column} end)`
    })
    parts.push(`json_object(${pairs.join(', ')})`)
  }
  return parts.reduce((image, part) => `json_patch(${image}, ${part})`)
}

function track({ columns, key, quoted, set, uniqueKeys }: LoggedTable): readonly string[] {
  const log = (row: string, image: string): string =>
    `insert into ${CHANGES_TABLE} (set_name, key, old) values (${textLiteral(set)}, ${imageOf(row, key)}, ${image})`
  const trigger = (event: string, timing: string, condition: string, body: string): readonly string[] => {
    const name = quoteName(triggerName(event, set))
    return [
      `drop trigger if exists ${name}`,
      `create trigger ${name} ${timing} on ${quoted} for each row ${condition}begin ${body}; end`,
    ]
  }
  const keys = [key.map((name): UniqueColumn => ({ name, collation: undefined })), ...uniqueKeys]
  const conditions = [...new Set(keys.map(hasSameValues))]
  const differs = (names: readonly string[]): string =>
    names.map((name) => `old.${quoteName(name)} is not new.${quoteName(name)}`).join(' or ')
  const isOther = key.map((name) => `o.${quoteName(name)} is not old.${quoteName(name)}`).join(' or ')
  const names = [...new Set(keys.flatMap((one) => one.map(({ name }) => name)))]
  // One statement for each key: with `or` and a collation, SQLite reads the whole table.
  const replaced = (further = ''): string =>
    conditions
      .map(
        (condition) =>
          `insert into ${CHANGES_TABLE} (set_name, key, old) select ${textLiteral(set)}, ${imageOf('o', key)}, ${imageOf('o', columns)} from ${quoted} as o where ${condition}${further}`,
      )
      .join('; ')
  return [
    // `insert or replace` and `update or replace` remove rows with the same unique values without a delete trigger.
    ...trigger('replace', 'before insert', '', replaced()),
    ...trigger('taken', 'before update', `when ${differs(names)} `, replaced(` and (${isOther})`)),
    ...trigger('insert', 'after insert', '', log('new', 'null')),
    ...trigger('update', 'after update', '', log('old', imageOf('old', columns))),
    ...trigger('key', 'after update', `when ${differs(key)} `, log('new', 'null')),
    ...trigger('delete', 'after delete', '', log('old', imageOf('old', columns))),
  ]
}

/** Returns the condition of rows that have the values of a unique key of the new row. */
function hasSameValues(key: readonly UniqueColumn[]): string {
  const equal = key.map(({ collation, name }) => {
    const column = quoteName(name)
    return `o.${column} = new.${column}${collation === undefined ? '' : ` collate ${quoteName(collation)}`}`
  })
  return equal.join(' and ')
}
