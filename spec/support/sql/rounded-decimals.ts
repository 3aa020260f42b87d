import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { SqlServer } from './databases.js'
import type { AnyDatabase } from './model-tables.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Price: {
      key: ['Id'],
      properties: { Id: edm.Int32({ nullable: false }), Amount: edm.Decimal() },
    },
  },
  entityContainer: { entitySets: { Prices: { entityType: 'Price' } } },
})

/** States that a number is stored with all its digits, or refused, even if the model does not limit them. */
export function describeRoundedDecimals(
  open: () => Promise<AnyDatabase>,
  columns: readonly (readonly [type: string, valid: string, rounded: string, reason: string])[],
): void {
  it.each(columns)('MUST be refused if %s would round it', async (type, valid, rounded, reason) => {
    const db = await open()
    const table = sql`create table ${sql.table('Prices')}`
    await sql`${table} (${sql.ref('Id')} integer primary key, ${sql.ref('Amount')} ${sql.raw(type)})`.execute(
      db,
    )
    const service = await SqlServer.start(model, db)
    const refusal = [400, `Property 'Amount': ${reason}.`]
    expect(await service.refusal('POST', 'Prices', { Id: 1, Amount: rounded })).toEqual(refusal)
    expect((await service.send('POST', 'Prices', { Id: 2, Amount: valid })).json).toMatchObject({
      Amount: valid,
    })
    expect(await service.refusal('MERGE', 'Prices(2)', { Amount: rounded })).toEqual(refusal)
    expect((await service.send('GET', 'Prices')).json).toMatchObject({ results: [{ Id: 2, Amount: valid }] })
    await service.stop()
  })
}
