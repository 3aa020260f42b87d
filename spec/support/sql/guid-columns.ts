import { sql } from 'kysely'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import { SqlServer } from './databases.js'
import type { AnyDatabase } from './model-tables.js'

const model = defineModel({
  namespace: 'N',
  entityTypes: {
    Order: {
      key: ['Id'],
      properties: { Id: edm.Guid({ nullable: false }), Name: edm.String() },
      navigationProperties: { Items: { relationship: 'OrderItems', fromRole: 'Order', toRole: 'Item' } },
    },
    Item: {
      key: ['No'],
      properties: { No: edm.Int32({ nullable: false }), OrderId: edm.Guid() },
      navigationProperties: { Order: { relationship: 'OrderItems', fromRole: 'Item', toRole: 'Order' } },
    },
  },
  associations: {
    OrderItems: {
      ends: { Order: { type: 'Order', multiplicity: '0..1' }, Item: { type: 'Item', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Order', properties: ['Id'] },
        dependent: { role: 'Item', properties: ['OrderId'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Orders: { entityType: 'Order' }, Items: { entityType: 'Item' } },
    associationSets: {
      OrderItems: { association: 'OrderItems', ends: { Order: 'Orders', Item: 'Items' } },
    },
  },
})

const lower = '0f8fad5b-d9cb-469f-a165-70867728950e'
const forms = { 'upper case': lower.toUpperCase(), 'lower case': lower }

/**
 * States that guids in columns of text are compared without case.
 *
 * @param isWrittenAlike true if new foreign keys have the case of the keys, or the database ignores case
 */
export function describeGuidColumns(
  open: (statements: readonly string[]) => Promise<AnyDatabase>,
  types: readonly string[],
  isWrittenAlike: boolean,
): void {
  const cases = types.flatMap((type) =>
    Object.entries(forms).map(([form, stored]) => ({ type, form, stored })),
  )

  it.each(cases)('MUST be compared without case: $form in $type', async ({ type, stored }) => {
    const db = await open([])
    const orders = sql.table('Orders')
    const items = sql.table('Items')
    const id = sql.ref('Id')
    const orderId = sql.ref('OrderId')
    const text = sql.raw(type)
    await sql`create table ${orders} (${id} ${text} primary key, ${sql.ref('Name')} varchar(20))`.execute(db)
    await sql`create table ${items} (${sql.ref('No')} integer primary key, ${orderId} ${text},
      foreign key (${orderId}) references ${orders} (${id}))`.execute(db)
    await sql`insert into ${orders} values (${stored}, 'first')`.execute(db)
    await sql`insert into ${items} values (1, ${stored})`.execute(db)
    const service = await SqlServer.start(model, db)
    for (const given of Object.values(forms)) {
      const path = `Orders(guid'${given}')`
      const get = async (rest: string): Promise<unknown> => (await service.send('GET', rest)).json
      expect(await get(path)).toMatchObject({ Name: 'first' })
      expect(await get(`${path}/Items`)).toMatchObject({ results: [{ No: 1 }] })
      expect(await get(`${path}?$expand=Items`)).toMatchObject({ Items: { results: [{ No: 1 }] } })
      expect(await get('Items(1)/Order')).toMatchObject({ Name: 'first' })
      expect(await get('Items?$expand=Order')).toMatchObject({ results: [{ Order: { Name: 'first' } }] })
      for (const operator of ['eq', 'ge', 'le'])
        expect(await get(`Orders?$filter=Id%20${operator}%20guid'${given}'`)).toMatchObject({
          results: [{ Name: 'first' }],
        })
      expect(await get(`Items?$filter=Order/Id%20eq%20guid'${given}'`)).toMatchObject({
        results: [{ No: 1 }],
      })
      expect(await service.refusal('POST', 'Orders', { Id: given })).toEqual([409, expect.any(String)])
      const isAccepted = isWrittenAlike || stored === lower
      const item = { No: 2, OrderId: given }
      expect((await service.send('POST', 'Items', item)).status).toBe(isAccepted ? 201 : 409)
      const items = [{ No: 1 }, ...(isAccepted ? [{ No: 2 }] : [])]
      expect(await get(`${path}/Items?$orderby=No`)).toMatchObject({ results: items })
      expect((await service.send('DELETE', 'Items(2)')).status).toBe(isAccepted ? 204 : 404)
      expect((await service.send('MERGE', path, { Name: 'first' })).status).toBe(204)
    }
    expect((await service.send('DELETE', 'Items(1)')).status).toBe(204)
    expect((await service.send('DELETE', `Orders(guid'${lower}')`)).status).toBe(204)
    await service.stop()
  })
}
