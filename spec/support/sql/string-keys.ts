import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { fc, runs } from '../random.js'
import type { AnyDatabase } from './model-tables.js'

const key = (type: ReturnType<typeof edm.String>) => ({
  key: ['Code'] as const,
  properties: { Code: type, Name: edm.String() },
})

const model = defineModel({
  namespace: 'N',
  entityTypes: { Item: key(edm.String({ nullable: false })) },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

const codes = [
  'a',
  'A',
  'ä',
  '',
  ' ',
  'a ',
  'NULL',
  'null',
  '{}',
  '"',
  '\\',
  'a,b',
  "it's",
  '{"a"}',
  '\\"',
  'x',
  '\t',
  '日本',
]

/** Compares the reads of a batch with single reads, for keys that databases compare in several ways. */
export function describeStringKeys(
  open: () => Promise<AnyDatabase>,
  columns: Readonly<Record<string, string>>,
): void {
  let db: AnyDatabase
  let services: ContractServices

  beforeAll(async () => {
    db = await open()
    services = await ContractServices.start()
  })

  afterAll(async () => {
    await services.close()
    await db.destroy()
  })

  it.each(Object.entries(columns))('MUST be found in a batch as alone: %s', async (name, type) => {
    await sql`create table ${sql.table(`Items_${name}`)} (${sql.ref('Code')} ${sql.raw(type)} primary key, ${sql.ref('Name')} varchar(20))`.execute(
      db,
    )
    for (const code of codes) {
      const row = sql`insert into ${sql.table(`Items_${name}`)} values (${code}, ${`of ${code}`})`
      await row.execute(db).catch(() => undefined)
    }
    const provider = sqlProvider(model, db, {
      mapping: { entitySets: { Items: { table: `Items_${name}` } } },
    })
    await provider.ready()
    services.mount(name, provider, {}, model)
    const path = fc
      .constantFrom(...codes, 'absent')
      .map((code) => `/Items('${encodeURIComponent(code.replaceAll("'", "''"))}')`)
    await fc.assert(
      fc.asyncProperty(fc.array(path, { minLength: 2, maxLength: 30 }), async (paths) => {
        const responses = await services.comparableBatch(name, paths)
        for (const [index, one] of paths.entries())
          expect([one, responses[index]]).toEqual([one, await services.comparable(name, one)])
      }),
      { numRuns: runs(50) },
    )
  })
}
