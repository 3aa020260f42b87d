import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { SqlServer } from './databases.js'
import type { AnyDatabase } from './model-tables.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Reading: {
      key: ['At'],
      properties: { At: edm.DateTime({ nullable: false }), Value: edm.Int32() },
    },
  },
  entityContainer: { entitySets: { Readings: { entityType: 'Reading' } } },
})

/** States that a point in time equals only itself, even if the database rounds or truncates it. */
export function describeFractionKeys(
  open: () => Promise<AnyDatabase>,
  columns: readonly (readonly [type: string, stored: string, others: readonly string[]])[],
): void {
  it.each(columns)('MUST not find a key with more digits: %s', async (type, stored, others) => {
    const db = await open()
    const table = sql.table('Readings')
    await sql`create table ${table} (${sql.ref('At')} ${sql.raw(type)} primary key, ${sql.ref('Value')} integer)`.execute(
      db,
    )
    await sql`insert into ${table} values (${stored}, 1)`.execute(db)
    const service = await SqlServer.start(model, db)
    const path = (at: string): string => `Readings(datetime'${at}')`
    for (const at of others) {
      expect((await service.send('GET', path(at))).status).toBe(404)
      expect((await service.send('MERGE', path(at), { Value: 2 })).status).toBe(404)
      expect((await service.send('DELETE', path(at))).status).toBe(404)
      const filter = `Readings?$filter=At%20eq%20datetime'${at}'`
      expect((await service.send('GET', filter)).json).toMatchObject({ results: [] })
    }
    const at = stored.length > 10 ? stored.replace(' ', 'T') : `${stored}T00:00:00`
    expect((await service.send('GET', path(at))).json).toMatchObject({ Value: 1 })
    expect((await service.send('DELETE', path(at))).status).toBe(204)
    // New keys are truncated.
    const [more = ''] = others
    expect((await service.send('POST', 'Readings', { At: more, Value: 3 })).status).toBe(201)
    expect((await service.send('GET', 'Readings')).json).toMatchObject({ results: [{ Value: 3 }] })
    await service.stop()
  })
}
