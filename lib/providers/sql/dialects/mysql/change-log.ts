import type { ChangeLog, LoggedRows, LoggedTable } from '../../change-log.js'
import { CHANGES_TABLE, LOG_TABLE, textLiteral, triggerName } from '../../change-log.js'
import type { ColumnFacts } from '../../column.js'
import { joined, parameter, raw, sql } from '../../sql-text.js'

const newEpoch = "left(replace(uuid(), '-', ''), 12)"
const newSecret = 'hex(random_bytes(32))'
const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

/** Types of columns that are read back as they are declared, with their arguments. */
const declared = new Set(['decimal', 'char', 'varchar', 'datetime', 'timestamp', 'time'])
const texts = new Set(['tinytext', 'text', 'mediumtext', 'longtext', 'json'])
const binary = /binary$|blob$/
/** The number of changes that get their position by one statement. */
const MAX_NUMBERED = 5000

/**
 * Changes get their position after their commit, by the next client that reads: numbers that writers take would be given
 * out before transactions commit, and hide those that commit late.
 */
export const mysqlChangeLog: ChangeLog = {
  create: (_schema, lacksSecret) => [
    `create table if not exists ${CHANGES_TABLE} (
  seq bigint unsigned not null auto_increment primary key,
  position bigint unsigned,
  set_name varchar(255) character set utf8mb4 collate utf8mb4_bin not null,
  \`key\` longtext character set utf8mb4 collate utf8mb4_bin not null,
  old longtext character set utf8mb4 collate utf8mb4_bin,
  at timestamp(3) not null default current_timestamp(3),
  index ${CHANGES_TABLE}_set (set_name, position),
  index ${CHANGES_TABLE}_position (position)
) engine = InnoDB`,
    `create table if not exists ${LOG_TABLE} (
  id int primary key,
  epoch varchar(32) not null,
  floor bigint unsigned not null default 0,
  last bigint unsigned not null default 0,
  secret varchar(80),
  created timestamp(3) not null default current_timestamp(3)
) engine = InnoDB`,
    ...(lacksSecret ? [`alter table ${LOG_TABLE} add column secret varchar(80)`] : []),
    `insert ignore into ${LOG_TABLE} (id, epoch) values (1, ${newEpoch})`,
    `update ${LOG_TABLE} set epoch = ${newEpoch}, secret = ${newSecret} where secret is null`,
  ],
  track,
  // A trigger cannot be replaced without a moment in which changes are not logged.
  isRenewedByTracking: true,
  schema: sql`select database() as name`,
  lacksSecret: sql`select 1 as n from information_schema.tables as t where t.table_schema = database() and t.table_name = 'odata_change_log'
    and not exists (select 1 from information_schema.columns as c where c.table_schema = t.table_schema
      and c.table_name = t.table_name and c.column_name = 'secret')`,
  current: sql`select epoch, secret, cast(floor as char) as floor, cast(last as char) as position from odata_change_log`,
  triggers: sql`select trigger_name as name from information_schema.triggers where trigger_schema = database()
    and trigger_name like 'odata\\_log\\_%'`,
  // Triggers do not run for the actions of foreign keys.
  withoutTriggers: sql`select distinct table_name as name from information_schema.referential_constraints
    where constraint_schema = database() and (delete_rule in ('CASCADE', 'SET NULL') or update_rule in ('CASCADE', 'SET NULL'))`,
  numbering: {
    // Rows of transactions that have not committed are neither seen nor waited for.
    pending: sql`select cast(seq as char) as seq from odata_changes where position is null limit ${raw(String(MAX_NUMBERED))}`,
    raise: sql`update odata_change_log set last = last + 1 where id = 1`,
    assign: (numbers) =>
      sql`update odata_changes set position = (select last from odata_change_log where id = 1) where seq in (${joined(
        numbers.map((one) => raw(String(BigInt(one)))),
        ', ',
      )})`,
  },
  renew: raw(`update ${LOG_TABLE} set epoch = ${newEpoch}, secret = ${newSecret}`),
  prune: (before) => {
    const old = sql`position is not null and at < ${parameter(before)}`
    return [
      sql`update odata_change_log set floor = greatest(floor, coalesce((select max(position) from odata_changes where ${old}), 0))`,
      sql`delete from odata_changes where ${old} and position <= (select floor from odata_change_log)`,
      sql`select row_count() as n`,
    ]
  },
  format: (position) => position,
  after: (position, floor, current) => {
    if (!/^\d{1,18}$/.test(position)) return undefined
    const isKnown = BigInt(position) >= BigInt(floor) && BigInt(position) <= BigInt(current)
    return isKnown ? `c.position > ${position}` : undefined
  },
  keys: (rows, condition) => {
    const changed = `select distinct c.\`key\` from ${CHANGES_TABLE} as c where ${ofSet(rows.set)} and ${condition}`
    const selected = rows.columns.map((name) =>
      rows.key.includes(name) ? keyValue(name, rows) : `null as ${quoted(name)}`,
    )
    return `(select ${selected.join(', ')} from (${changed}) as c, ${decoded('c.`key`', 'k', rows.key, rows)})`
  },
  states(rows, condition, needed) {
    const old = needed.filter((name) => !rows.key.includes(name))
    const from = `${CHANGES_TABLE} as c where ${ofSet(rows.set)} and ${condition} and c.old is not null`
    const selected = rows.columns.map((name) => {
      if (rows.key.includes(name)) return keyValue(name, rows)
      return old.includes(name) ? `o.${quoted(name)}` : `null as ${quoted(name)}`
    })
    const states = old.length === 0 ? '' : `, ${decoded('c.old', 'o', old, rows)}`
    return `(select distinct ${selected.join(', ')} from (select c.\`key\`, c.old from ${from}) as c, ${decoded('c.`key`', 'k', rows.key, rows)}${states})`
  },
}

function ofSet(set: string): string {
  return `c.set_name = ${textLiteral(set)}`
}

function pathOf(name: string): string {
  return textLiteral(`$.${JSON.stringify(name)}`)
}

function isBinary(name: string, { facts }: Pick<LoggedRows, 'facts'>): boolean {
  return binary.test(facts.get(name)?.dataType ?? '')
}

/** Returns a column of a key; bytes are hexadecimal in images. */
function keyValue(name: string, rows: LoggedRows): string {
  const column = `k.${quoted(name)}`
  return isBinary(name, rows) ? `unhex(${column}) as ${quoted(name)}` : column
}

/** Returns the columns of an image as a table. */
function decoded(image: string, alias: string, names: readonly string[], rows: LoggedRows): string {
  const columns = names.map((name) => `${quoted(name)} ${typeOf(rows.facts.get(name))} path ${pathOf(name)}`)
  return `json_table(${image}, '$' columns (${columns.join(', ')})) as ${alias}`
}

/** Returns the type that holds all values of a column. */
function typeOf({ dataType, isUnsigned, typeArguments }: Partial<ColumnFacts> = {}): string {
  const size =
    typeArguments === undefined || typeArguments.length === 0 ? '' : `(${typeArguments.join(', ')})`
  if (dataType === undefined || texts.has(dataType)) return 'longtext'
  // Keys have at most 3,072 bytes, in hexadecimal digits.
  if (binary.test(dataType)) return 'varchar(6144)'
  if (dataType === 'bit' || /int$/.test(dataType))
    return isUnsigned === true || dataType === 'bit' ? 'bigint unsigned' : 'bigint'
  if (declared.has(dataType)) return `${dataType === 'timestamp' ? 'datetime' : dataType}${size}`
  if (dataType === 'double' || dataType === 'float') return 'double'
  return dataType === 'date' ? 'date' : 'varchar(1000)'
}

/** Returns the image of some columns of a row. JSON has not all digits of numbers: all values are strings. */
function imageOf(row: string, names: readonly string[], facts: LoggedTable['facts']): string {
  const pairs = names.map((name) => {
    const column = `${row}.${quoted(name)}`
    const { dataType, isJson } = facts.get(name) ?? {}
    if (isBinary(name, { facts })) return `${textLiteral(name)}, hex(${column})`
    const value = `convert(${dataType === 'bit' ? `${column} + 0` : column} using utf8mb4)`
    // MariaDB would insert the value of a JSON column as an object or array.
    return `${textLiteral(name)}, ${isJson === true ? `concat(${value})` : value}`
  })
  return `json_object(${pairs.join(', ')})`
}

function track({ columns, facts, key, quoted: table, set }: LoggedTable): readonly string[] {
  const log = (row: string, image: string): string =>
    `insert into ${CHANGES_TABLE} (set_name, \`key\`, old) values (${textLiteral(set)}, ${imageOf(row, key, facts)}, ${image})`
  const trigger = (event: string, body: string): readonly string[] => {
    const name = quoted(triggerName(event, set))
    return [
      `drop trigger if exists ${name}`,
      `create trigger ${name} after ${event} on ${table} for each row ${body}`,
    ]
  }
  const old = imageOf('old', columns, facts)
  // Strings that the collation treats as equal are different keys.
  const text = (row: string, name: string): string => {
    const column = `${row}.${quoted(name)}`
    return isBinary(name, { facts }) ? column : `binary convert(${column} using utf8mb4)`
  }
  const sameKey = key.map((name) => `${text('old', name)} <=> ${text('new', name)}`).join(' and ')
  return [
    ...trigger('insert', log('new', 'null')),
    ...trigger(
      'update',
      `begin ${log('old', old)}; if not (${sameKey}) then ${log('new', 'null')}; end if; end`,
    ),
    ...trigger('delete', log('old', old)),
  ]
}
