import { sql } from 'kysely'
import { nameOfType } from '../../../lib/edm/edm-model.js'
import { introspect } from '../../../lib/sql.js'
import { SqlServer } from './databases.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'

/**
 * A column type, the simple type of its property, and SQL literals of values that are easily changed. Dates of verbose JSON
 * have milliseconds.
 */
export type StoredType = readonly [columnType: string, edmType: string, literals: readonly string[]]

const floats = ['0.1', '1e-300', '1.7976931348623157e308', '-5e-324', '3']
const strings = ["''", "' a '", "'007'", "'ä€😀'", `'{"a": 1.0}'`]
const guids = ["'0f8fad5b-d9cb-469f-a165-70867728950e'"]

export const storedTypes: Readonly<Record<DatabaseKind, readonly StoredType[]>> = {
  sqlite: [
    ['integer', 'Int64', ['0', '-9223372036854775808', '9223372036854775807', '9007199254740993']],
    ['smallint', 'Int16', ['-32768', '32767']],
    ['mediumint', 'Int32', ['-2147483648', '2147483647']],
    ['tinyint(1)', 'Boolean', ['0', '1']],
    ['boolean', 'Boolean', ['0', '1']],
    ['bit(8)', 'Int64', ['0', '255']],
    ['real', 'Double', floats],
    ['floating point', 'Double', ['2.5', '3']],
    ['decimal(10,2)', 'Decimal', ['12.50', '-0.01', '99999999.99', '5']],
    ['decimal_text', 'Decimal', ["'12.50'", "'123456789012345678901234567890.10'", "'0'"]],
    ['text', 'String', strings],
    ['varchar(80)', 'String', strings],
    ['string', 'String', ["'a'", "'007'", '7', '2.5', "'7e'"]],
    ['json', 'String', [`'{"a": 1.0}'`, "'5'", "'[1, 2]'"]],
    ['jsonb', 'String', [`jsonb('{"a": 1.0}')`, "jsonb('[1,{}]')", `'{"b": 2}'`]],
    ['', 'String', ["'007'", '7', '2.5', "'x'", '9007199254740993']],
    ['any', 'Binary', ["x'00ff'", "'x'", '7', '2.5']],
    ['blob', 'Binary', ["x''", "x'00ff'"]],
    ['varbinary(9)', 'Binary', ["x'00ff'"]],
    ['point', 'Binary', ["x'0001'"]],
    ['uuid', 'Guid', [...guids, "'0F8FAD5B-D9CB-469F-A165-70867728950E'"]],
    ['date', 'DateTime', ["'2020-02-29'", "'0001-01-01'", "'9999-12-31'", "'2020-01-01 10:00'"]],
    [
      'datetime',
      'DateTime',
      [
        "'2020-01-01 10:00:00.000 +00:00'",
        "'2020-01-01T10:00:00.1230000Z'",
        "'2020-01-01 10:00:00.123000000+02:00'",
        "'2020-01-01T10:00'",
        '1577872800123',
        '-1',
      ],
    ],
    [
      'timestamptz',
      'DateTimeOffset',
      ["'2020-01-01 10:00:00+05:30'", "'2020-01-01T10:00:00.5Z'", "'2020-01-01'"],
    ],
    ['time', 'Time', ["'10:00'", "'23:59:59.9999999'", "'10:00:00.000'"]],
  ],
  postgres: [
    ['boolean', 'Boolean', ['true', 'false']],
    ['smallint', 'Int16', ['-32768', '32767']],
    ['integer', 'Int32', ['-2147483648', '2147483647']],
    ['bigint', 'Int64', ['-9223372036854775808', '9223372036854775807']],
    ['real', 'Single', ['0.1', '3.4028235e38', '1e-45']],
    ['double precision', 'Double', floats],
    ['numeric', 'Decimal', ['12.50', '0.000000000000000000000000000001', '123456789012345678901234567890']],
    ['numeric(10,2)', 'Decimal', ['12.50', '-0.01']],
    ['text', 'String', strings],
    ['char(5)', 'String', ["'ab'"]],
    ['json', 'String', [`'{"a": 1.0}'`]],
    ['jsonb', 'String', [`'{"a": 1.0}'`]],
    ['integer[]', 'String', ["'{1,2}'"]],
    ['interval', 'String', ["'1 day 02:00:00'"]],
    ['inet', 'String', ["'10.0.0.1/8'"]],
    ['uuid', 'Guid', guids],
    ['bytea', 'Binary', ["''", "'\\x00ff'"]],
    ['date', 'DateTime', ["'2020-02-29'", "'0001-01-01'", "'9999-12-31'"]],
    ['timestamp', 'DateTime', ["'2020-01-01 10:00:00.123'", "'0001-01-01'"]],
    ['timestamptz', 'DateTimeOffset', ["'2020-01-01 10:00:00.123+05:30'"]],
    ['time', 'Time', ["'00:00:00'", "'23:59:59.999999'"]],
  ],
  mysql: [
    ['tinyint(1)', 'Boolean', ['0', '1']],
    ['tinyint', 'SByte', ['-128', '127']],
    ['tinyint unsigned', 'Byte', ['0', '255']],
    ['smallint', 'Int16', ['-32768', '32767']],
    ['int', 'Int32', ['-2147483648', '2147483647']],
    ['int unsigned', 'Int64', ['4294967295']],
    ['bigint', 'Int64', ['-9223372036854775808', '9223372036854775807']],
    ['bigint unsigned', 'Decimal', ['18446744073709551615']],
    ['decimal(30,4)', 'Decimal', ['12.5000', '-0.0001']],
    ['float', 'Single', ['0.5', '3']],
    ['double', 'Double', ['0.1', '1e-300', '3']],
    ['varchar(80)', 'String', strings],
    ['text', 'String', strings],
    ["enum('a','b')", 'String', ["'b'"]],
    ['blob', 'Binary', ["x''", "x'00ff'"]],
    ['varbinary(9)', 'Binary', ["x'00ff'"]],
    ['date', 'DateTime', ["'2020-02-29'", "'9999-12-31'"]],
    ['datetime(6)', 'DateTime', ["'2020-01-01 10:00:00.123'"]],
    ['timestamp(6)', 'DateTimeOffset', ["'2020-01-01 10:00:00.123'"]],
    ['time(6)', 'Time', ["'00:00:00'", "'23:59:59.999999'"]],
  ],
}

/** An expression for a stored value, to the last byte. */
const exactly: Readonly<Record<DatabaseKind, string>> = {
  sqlite: "typeof(c) || ' ' || quote(c)",
  postgres: 'c::text',
  mysql: 'hex(c)',
}

/**
 * Reads each value of a type and sends it back unchanged.
 *
 * @returns the type of the property, and what is stored before and after
 */
export async function sendBack(
  db: AnyDatabase,
  kind: DatabaseKind,
  [columnType, , literals]: StoredType,
): Promise<{
  readonly type: string
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
}> {
  await sql.raw(`create table things (id int primary key, c ${columnType})`).execute(db)
  for (const [id, literal] of literals.entries())
    await sql.raw(`insert into things values (${String(id)}, ${literal})`).execute(db)
  const stored = async (): Promise<readonly unknown[]> => {
    const { rows } = await sql
      .raw<{ n: unknown }>(`select ${exactly[kind]} as n from things order by id`)
      .execute(db)
    return rows.map(({ n }) => n)
  }
  const before = await stored()
  const model = await introspect(db)
  const service = await SqlServer.start(model, db)
  const suffix = kind === 'sqlite' ? 'L' : ''
  for (const id of literals.keys()) {
    const path = `Things(${String(id)}${suffix})`
    const { json, status, text } = await service.send('GET', path)
    if (status !== 200) throw new Error(`GET ${path}: ${text}`)
    const merged = await service.send('MERGE', path, { C: json.C })
    if (merged.status !== 204) throw new Error(`MERGE ${path} of ${String(json.C)}: ${merged.text}`)
  }
  await service.stop()
  const type = model.defaultContainer.entitySets[0]?.entityType.property('C')?.type
  return { type: type === undefined ? '' : nameOfType(type), before, after: await stored() }
}
