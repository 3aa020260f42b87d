import { sql } from 'kysely'
import { bindFilter, bindOrderBy } from '../../../../lib/query/bind-expression.js'
import { totalOrder } from '../../../../lib/query/entity-query.js'
import { parseFilter, parseOrderBy } from '../../../../lib/uri/parse-expression.js'
import type { AnyDatabase, DatabaseKind } from '../model-tables.js'
import type { ColumnTypeRow, StoredLiteral } from './column-type-row.js'
import { otherTypes } from './column-type-row.js'
import { TypedTable } from './typed-table.js'
import { uriLiteral } from '../uri-literal.js'

/** An expression for the stored value of the column `v`, to the last byte. */
const storedBytes: Readonly<Record<DatabaseKind, string>> = {
  sqlite: "typeof(v) || ' ' || quote(v)",
  postgres: 'v::text',
  mysql: 'hex(v)',
}

/** A type of an Edm.Int32. */
export const int32: Readonly<Record<DatabaseKind, string>> = {
  sqlite: 'mediumint',
  postgres: 'int',
  mysql: 'int',
}

const literalOf = (value: StoredLiteral): string => (typeof value === 'string' ? value : value[0])

/** Creates the table `things (id, v)` with values from the first id on. */
async function createThings(
  db: AnyDatabase,
  kind: DatabaseKind,
  { before = [], column }: ColumnTypeRow,
  literals: readonly string[],
): Promise<TypedTable> {
  const rows = literals.map((literal, index) => `(${String(index + 1)}, ${literal})`)
  return TypedTable.open(db, [
    ...before,
    'drop table if exists things',
    `create table things (id ${int32[kind]} primary key, v ${column})`,
    ...(rows.length === 0 ? [] : [`insert into things values ${rows.join(', ')}`]),
  ])
}

/**
 * Checks a row of the table of types: the type of the property, its values in JSON, conditions and orders, and the values
 * that are refused.
 */
export async function checkColumnType(
  db: AnyDatabase,
  kind: DatabaseKind,
  row: ColumnTypeRow,
): Promise<void> {
  const table = await createThings(db, kind, row, [...row.values.map(literalOf), 'null'])
  expect(table.type).toBe(row.edm)
  const shown = await table.values('$orderby=Id')
  expect(shown).toEqual([
    ...row.values.map((value, index) => (typeof value === 'string' ? shown[index] : value[1])),
    null,
  ])
  expect(evaluated(table)).toEqual([row.filter ?? 'database', row.order ?? 'database'])

  const [first] = shown
  const select = row.select ?? `V eq ${uriLiteral(`Edm.${row.edm}`, first)}`
  const equal = shown.flatMap((value, index) => (value === first ? [index + 1] : []))
  expect([select, await table.ids(`$filter=${select}&$orderby=Id`)]).toEqual([
    select,
    row.select === undefined ? equal : [1],
  ])
  expect(await table.ids('$filter=V eq null')).toEqual([shown.length])
  expect(new Set(await table.values('$orderby=V'))).toEqual(new Set(shown))
  expect((await table.values('$orderby=V desc')).at(-1)).toBeNull()

  const before = await table.bytes(storedBytes[kind])
  const refusals = async (value: unknown): Promise<readonly string[]> => [
    await table.refusal('MERGE', 'Things(1)', { V: value }),
    await table.refusal('POST', 'Things', { Id: 999, V: value }),
  ]
  for (const refusal of await refusals(otherTypes[row.edm]))
    expect(refusal).toContain(`400 'V' is of type Edm.${row.edm}: write`)
  for (const [value, reason] of Object.entries(row.refused ?? {}))
    for (const refusal of await refusals(row.edm === 'Int16' ? Number(value) : value))
      expect([value, refusal.replace(/^(400) (?:Property )?'V':? (.*)\.$/s, '$1 $2')]).toEqual([
        value,
        `400 ${reason}`,
      ])
  expect(await table.bytes(storedBytes[kind])).toEqual(before)
  expect(table.errors).toEqual([])
}

/** Returns where an equality and an order are evaluated. */
function evaluated({ model, provider }: TypedTable): readonly string[] {
  const [set] = model.defaultContainer.entitySets
  if (set === undefined) return []
  const scope = { entityType: set.entityType, entitySet: set, model }
  const pushdown = provider.entitySets[set.name]?.pushdown
  const filter = bindFilter(parseFilter('V eq V'), scope, { source: 'V eq V', label: '$filter' })
  const order = bindOrderBy(parseOrderBy('V'), scope, { source: 'V', label: '$orderby' })
  return [pushdown?.filter?.(filter), pushdown?.orderBy?.(totalOrder(order, set.entityType))].map(
    (accepted) => (accepted === true ? 'database' : 'service'),
  )
}

/** Checks whether a column of a type can be a key, by which the entities are found. */
export async function checkKey(
  db: AnyDatabase,
  { before = [], column, key, values }: ColumnTypeRow,
): Promise<void> {
  for (const statement of [...before, 'drop table if exists moments']) await sql.raw(statement).execute(db)
  const created = await sql
    .raw(`create table moments (v ${column} primary key, n int)`)
    .execute(db)
    .catch(() => undefined)
  expect(created !== undefined).toBe(key ?? true)
  if (created === undefined) return
  const literals = [...new Set(values.map(literalOf))]
  const table = await TypedTable.open(db, [
    `insert into moments (v) values ${literals.map((literal) => `(${literal})`).join(', ')}`,
  ])
  const rows = await table.rows('', 'Moments')
  expect(rows).toHaveLength(literals.length)
  for (const { V, __metadata } of rows) {
    const path = /Moments\(.*\)$/.exec((__metadata as { uri: string }).uri)?.[0] ?? ''
    expect(JSON.parse((await table.send('GET', path)).text)).toMatchObject({ d: { V } })
    expect([path, await table.refusal('MERGE', path, { N: 7 })]).toEqual([path, '204 '])
  }
  expect(await table.rows('$filter=N eq 7', 'Moments')).toHaveLength(rows.length)
  expect(table.errors).toEqual([])
}

/**
 * Checks that clients can change and insert what they read, as Atom and as JSON, so that the stored bytes are the same.
 */
export async function checkRoundTrip(
  db: AnyDatabase,
  kind: DatabaseKind,
  row: ColumnTypeRow,
  literals: readonly string[] = [...row.values.map(literalOf), 'null'],
): Promise<void> {
  const table = await createThings(db, kind, row, literals)
  const before = await table.bytes(storedBytes[kind])
  const entries = await table.entries()
  const rows = await table.rows('$orderby=Id')
  expect([entries.length, rows.length]).toEqual([before.length, before.length])
  for (const [index, entry] of entries.entries()) {
    const path = `Things(${String(index + 1)})`
    if (isWholeInXml(entry))
      expect([entry, await table.sendEntry('MERGE', path, entry)]).toEqual([entry, 204])
    if (isFinerThanJson(row, entry)) continue
    const json = rows[index]
    expect([json, await table.refusal('MERGE', path, json)]).toEqual([json, '204 '])
  }
  expect(await table.bytes(storedBytes[kind])).toEqual(before)
  for (const [index, entry] of entries.entries()) {
    const Id = 1001 + index
    const inserted = entry.replace(/(<d:Id\b[^>]*>)\d+/, `$1${String(Id)}`)
    const status = isWholeInXml(entry)
      ? await table.sendEntry('POST', 'Things', inserted)
      : (await table.send('POST', 'Things', { ...rows[index], Id })).status
    expect([entry, status]).toEqual([entry, 201])
  }
  const after = await table.bytes(storedBytes[kind])
  if (row.isAmbiguous === true) expect(after.slice(0, before.length)).toEqual(before)
  else expect(after).toEqual([...before, ...before])
  const contents = (await table.entries()).map((entry) => /<d:V\b.*<\/d:V>|<d:V\b[^>]*\/>/s.exec(entry)?.[0])
  expect(contents.slice(before.length)).toEqual(contents.slice(0, before.length))
  expect(table.errors).toEqual([])
}

/** Returns false for strings with characters that XML does not have. */
function isWholeInXml(entry: string): boolean {
  return !entry.includes('\ufffd')
}

/** Returns true for dates with microseconds: verbose JSON has milliseconds. */
function isFinerThanJson({ edm }: ColumnTypeRow, entry: string): boolean {
  return edm.startsWith('DateTime') && /<d:V\b[^>]*>[^<]*\.\d{3}\d*[1-9]/.test(entry)
}
