import SQLite from 'better-sqlite3'
import { fc, runs } from '../../../support/random.js'
import { Kysely, SqliteDialect } from 'kysely'
import { readEdmx } from '../../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../../lib/csdl/write-edmx.js'
import type { Row } from '../../../../lib/evaluation/row.js'
import type { ProviderCall } from '../../../../lib/provider/provider-call.js'
import type { ReadQuery } from '../../../../lib/provider/provider.js'
import { introspect, mappingOf, sqlProvider } from '../../../../lib/sql.js'
import type { AnyDatabase } from '../../../support/sql/model-tables.js'

/** Names that are easily taken for one another, and such as CSDL does not allow. */
const name = fc
  .tuple(
    fc.constantFrom(
      'order',
      'Order',
      'ORDER',
      'orders',
      'people',
      'person',
      'a',
      'id',
      '1',
      'ß',
      'ID',
      '日本',
      '$',
      '',
    ),
    fc.constantFrom('', '_', ' ', '-', '.', '__', '"', "'"),
    fc.constantFrom('id', 'Id', 'ID', 'key', 'details', 'Detail', 'b', '2', '', 'ies'),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text !== '' && !text.toLowerCase().startsWith('sqlite_'))

const names = (maximum: number) =>
  fc.uniqueArray(name, { minLength: 1, maxLength: maximum, selector: (one) => one.toLowerCase() })

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Tables that are referred to, by their place. */
  readonly references: readonly number[]
}

const schema = names(5).chain((tables) =>
  fc.tuple(
    ...tables.map((one) =>
      fc.record({
        name: fc.constant(one),
        columns: names(5),
        references: fc.array(fc.nat(tables.length - 1), { maxLength: 3 }),
      }),
    ),
  ),
)

const quoted = (one: string): string => `"${one.replaceAll('"', '""')}"`

/** The first column is the key; every column holds its own name and place. */
function scriptOf(tables: readonly Table[]): string {
  const created = tables.map(({ name: table, columns, references }) => {
    const definitions = columns.map(
      (column, index) => `${quoted(column)} text${index === 0 ? ' primary key' : ''}`,
    )
    references.forEach((target, index) => {
      const { name: other = '', columns: [key = ''] = [] } = tables[target] ?? {}
      definitions.push(`${quoted(`ref ${String(index)}`)} text references ${quoted(other)}(${quoted(key)})`)
    })
    return `create table ${quoted(table)} (${definitions.join(', ')});`
  })
  const filled = tables.map(({ name: table, columns }) => {
    const values = columns.map((column) => `'${`${table}|${column}`.replaceAll("'", "''")}'`)
    return `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${values.join(', ')});`
  })
  return [...created, ...filled].join('\n')
}

describe('introspect', () => {
  it('MUST find every table and column again, whatever they are called', async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (tables) => {
        const database = new SQLite(':memory:')
        database.exec(scriptOf(tables))
        const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
        try {
          const model = await introspect(db)
          const mapping = mappingOf(model)
          // A model that is printed and read again is the same, together with its mapping.
          for (const provider of [
            sqlProvider(model, db),
            sqlProvider(readEdmx(writeEdmx(model)), db, { mapping }),
          ]) {
            await provider.ready()
            const found = await Promise.all(
              model.defaultContainer.entitySets.map(async (set) => {
                const rows = (await provider.entitySets[set.name]?.read(
                  { top: 9 } as ReadQuery,
                  { signal: new AbortController().signal } as ProviderCall,
                )) as readonly Row[]
                return rows.map((row) =>
                  Object.values(row)
                    .filter((value) => value !== null)
                    .sort(),
                )
              }),
            )
            const expected = tables.map((table) => [
              table.columns.map((column) => `${table.name}|${column}`).sort(),
            ])
            expect(found.map((rows) => JSON.stringify(rows)).sort()).toEqual(
              expected.map((rows) => JSON.stringify(rows)).sort(),
            )
          }
        } finally {
          await db.destroy()
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('MUST create models whose navigation properties all have a target set and a partner', async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (tables) => {
        const database = new SQLite(':memory:')
        database.exec(scriptOf(tables))
        const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
        const { defaultContainer } = await introspect(db)
        await db.destroy()
        const ways = defaultContainer.entitySets.flatMap((set) =>
          set.entityType.navigationProperties.map((navigation) => ({
            target: set.targetOf(navigation),
            back: navigation.partner,
          })),
        )
        const references = tables.reduce((sum, table) => sum + table.references.length, 0)
        expect(ways).toHaveLength(2 * references)
        expect(ways.every(({ target, back }) => target !== undefined && back !== undefined)).toBe(true)
      }),
      { numRuns: runs(100) },
    )
  })

  it('MUST skip views that cannot be read, and serve the rest', async () => {
    const database = new SQLite(':memory:')
    database.exec(`create table a (id integer primary key); create table b (id integer primary key);
      create view broken as select * from b; drop table b`)
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database }) })
    const { defaultContainer } = await introspect(db)
    expect(defaultContainer.entitySets.map((set) => set.name)).toEqual(['As'])
    await db.destroy()
  })
})
