import { odataV2 } from 'express-odata-v2'
import { openV4 } from 'express-odata-v2/v4'
import type { OpenedService } from 'express-odata-v2/v4'
import type { CapShop } from './support/cap-shop.js'
import { startCapShop } from './support/cap-shop.js'
import { OpenUI5, startTime } from './support/openui5.js'

let ui5: OpenUI5
let shop: CapShop
let catalog: OpenedService
let root: string

beforeAll(async () => {
  ui5 = await OpenUI5.start()
  shop = await startCapShop()
  catalog = await openV4(`${shop.url}/odata/v4/catalog`, { dialect: 'cap' })
  const analytics = { Sales: { measures: { best: 'max' } } } as const
  root = ui5.mount('catalog', odataV2(catalog.model, catalog.provider, { ...catalog.options, analytics }))
}, startTime)
afterAll(async () => {
  catalog.close()
  await shop.stop()
  await ui5.close()
})
afterEach(() => {
  expect(ui5.takeErrors().filter((one) => !one.includes('default count mode is ignored'))).toEqual([])
})

describe.each([
  ['in batches', { useBatch: true }],
  ['by requests of their own', { useBatch: false }],
])('sap.ui.model.odata.v2.ODataModel on a V4 service of CAP, %s', (_how, settings) => {
  it('MUST list entities, and read one with its related entities', async () => {
    const seen = await ui5.run(
      async ({ open, read }, { root, settings }) => {
        const model = await open(root, settings)
        const list = await read<{ results: readonly { ID: number }[]; __count: string }>(model, '/Products', {
          urlParameters: { $top: '2', $inlinecount: 'allpages', $filter: 'active eq true' },
        })
        const detail = await read<{ category: { name: string } }>(model, '/Products(2)', {
          urlParameters: { $expand: 'category' },
        })
        return {
          ids: list.data.results.map(({ ID }) => ID),
          count: list.data.__count,
          category: detail.data.category.name,
        }
      },
      { root, settings },
    )
    expect(seen).toEqual({ ids: [2, 4], count: '15', category: 'Tea' })
  })

  it('MUST create, change with ETags, call actions and delete', async () => {
    const seen = await ui5.run(
      async ({ open, pathOf, read, create, update, remove, refusal, call }, { root, settings }) => {
        const model = await open(root, settings)
        const { data: created } = await create(model, '/Orders', { customer: 'eve' })
        const path = pathOf(model, '/Orders', created)
        await update(model, path, { status: 'paid' })
        const { data: paid } = await read<Record<string, unknown>>(model, path)
        const stale = await refusal(update(model, path, { status: 'lost' }, { eTag: 'W/"2020"' }))
        const canceled = await call(model, '/Orders_cancel', {
          method: 'POST',
          urlParameters: { ID: created.ID, reason: 'late' },
        })
        const { data: current } = await read<Record<string, unknown>>(model, path)
        await remove(model, path)
        const gone = await refusal(read(model, path))
        return {
          created: [created.customer, created.status],
          paid: paid.status,
          stale: stale.status,
          canceled: (canceled.data as Record<string, unknown>).status,
          current: current.status,
          gone: gone.status,
        }
      },
      { root, settings },
    )
    expect(seen).toEqual({
      created: ['eve', 'open'],
      paid: 'paid',
      stale: 412,
      canceled: 'canceled: late',
      current: 'canceled: late',
      gone: 404,
    })
  })
})

describe('sap.ui.table.AnalyticalTable on a V4 service of CAP', () => {
  it('MUST show the groups of a dimension and the grand total', async () => {
    const shown = await ui5.run(
      async ({ AnalyticalColumn, AnalyticalTable, open, show, Text, until }, { root }) => {
        const model = await open(root, { useBatch: true })
        const column = (name: string, settings: object): InstanceType<typeof AnalyticalColumn> =>
          new AnalyticalColumn({
            leadingProperty: name,
            label: new Text({ text: name }),
            template: new Text({ text: `{${name}}` }),
            ...settings,
          })
        const table = new AnalyticalTable({
          columns: [
            column('country', { grouped: true }),
            column('year', {}),
            column('amount', { summed: true }),
            column('pieces', { summed: true }),
          ],
        })
        table.setModel(model)
        table.bindRows({ path: '/Sales', parameters: { useBatchRequests: true, provideGrandTotals: true } })
        show(table)
        const rows = (): Record<string, unknown>[] =>
          table
            .getRows()
            .map((row) => row.getBindingContext()?.getObject() as Record<string, unknown> | undefined)
            .filter((one) => one !== undefined)
        await until(() => rows().length === 5, 'grand total and countries')
        return rows().map(({ country, amount, pieces }) => [country ?? null, Number(amount), pieces])
      },
      { root },
    )
    expect(shown).toHaveLength(5)
    expect(shown).toEqual(expect.arrayContaining([null, 'DE', 'FR', 'de'].map((one) => totalOf(one))))
    expect(shown).toContainEqual(totalOf(undefined))
  })
})

/** Returns the totals of the sales in `cap/shop/shop.js`. @param country undefined for all countries */
function totalOf(country: string | null | undefined): unknown[] {
  let cents = 0
  let pieces = 0
  for (let index = 0; index < 60; index++) {
    const own = index % 7 === 0 ? null : ['DE', 'FR', 'de'][index % 3]
    if (country !== undefined && own !== country) continue
    if (index % 11 !== 0) cents += index * 100 + ((index * 37) % 100)
    if (index % 5 !== 0) pieces += index - 20
  }
  return [country ?? null, cents / 100, pieces]
}
