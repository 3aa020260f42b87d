import { OpenUI5, startTime } from './support/openui5.js'
import type { Sales } from './support/sales.js'
import { salesStores } from './support/sales.js'

let ui5: OpenUI5

/** Warnings about the bindings of these specs. */
const notices = /Detected a multi-unit case|default count mode is ignored/

beforeAll(async () => {
  ui5 = await OpenUI5.start()
}, startTime)
afterAll(() => ui5.close())

describe.each(salesStores)('Analytical tables of OpenUI5 over sales in %s', (_name, openStore) => {
  let sales: Sales
  let root: string

  beforeAll(async () => {
    sales = await openStore()
    root = ui5.mount('sales', sales.service)
  })
  afterAll(() => sales.close())
  beforeEach(() => void ui5.takeRequests())
  afterEach(() => {
    expect(ui5.takeErrors().filter((one) => !notices.test(one))).toEqual([])
  })

  /** The query of each request, also of those in batches. */
  const queries = (): string[] =>
    ui5.takeRequests().flatMap(({ body, path }) => {
      const parts = [...body.matchAll(/^GET (\S+) HTTP/gm)].map(([, target = '']) => target)
      return [path, ...parts].filter((one) => one.startsWith('Sales?')).map(decodeURIComponent)
    })

  describe.each([
    ['with $batch', true],
    ['without $batch', false],
  ])('%s', (_how, useBatch) => {
    it('MUST show grand total, groups and their members in a sap.ui.table.AnalyticalTable', async () => {
      const shown = await ui5.run(
        async ({ AnalyticalColumn, AnalyticalTable, open, show, Text, until }, { root, useBatch }) => {
          const model = await open(root, { useBatch })
          const column = (name: string, settings: object): InstanceType<typeof AnalyticalColumn> =>
            new AnalyticalColumn({
              leadingProperty: name,
              label: new Text({ text: name }),
              template: new Text({ text: `{${name}}` }),
              ...settings,
            })
          const table = new AnalyticalTable({
            columns: [
              column('Country', { grouped: true }),
              column('Customer', {}),
              column('Amount', { summed: true }),
              column('Currency', {}),
              column('Quantity', { summed: true }),
            ],
          })
          table.setModel(model)
          table.bindRows({
            path: '/Sales',
            parameters: { useBatchRequests: useBatch, provideGrandTotals: true, sumOnTop: false },
          })
          show(table)
          const rows = (): Record<string, unknown>[] =>
            table
              .getRows()
              .map((row) => row.getBindingContext()?.getObject() as Record<string, unknown> | undefined)
              .filter((one) => one !== undefined)
              .map(({ Amount, Country, Currency, Customer, Quantity }) => ({
                Amount,
                Country,
                Currency,
                Customer,
                Quantity,
              }))
          const binding = (): { getTotalSize(): number; getDownloadUrl(format: string): string } =>
            table.getBinding('rows') as unknown as {
              getTotalSize(): number
              getDownloadUrl(format: string): string
            }
          // Measures whose own unit is not mixed are loaded again for rows with several currencies.
          const areComplete = (count: number): boolean =>
            rows().length === count && rows().at(-1)?.Quantity === 7 && rows()[0]?.Quantity === 7
          await until(() => areComplete(3), 'grand total and countries')
          const collapsed = rows()
          table.expand(0)
          await until(() => areComplete(6), 'customers of the first country')
          const total = binding().getTotalSize()
          return { collapsed, expanded: rows(), total, download: binding().getDownloadUrl('xlsx') }
        },
        { root, useBatch },
      )
      const total = { Currency: '*', Amount: null, Quantity: 7 }
      const germany = { Country: 'DE', Currency: '*', Amount: null, Quantity: 7 }
      const france = { Country: 'FR', Currency: 'EUR', Amount: '7.50', Quantity: null }
      expect(shown.collapsed).toEqual([germany, france, total])
      expect(shown.expanded).toEqual([
        germany,
        { Country: 'DE', Customer: 'Anna', Currency: 'EUR', Amount: '30.00', Quantity: 3 },
        { Country: 'DE', Customer: 'Ben', Currency: 'USD', Amount: '5.00', Quantity: 4 },
        germany,
        france,
        total,
      ])
      // Combinations of country, customer and currency.
      expect(shown.total).toBe(3)
      const sent = queries()
      expect(sent).toEqual(expect.arrayContaining([expect.stringContaining('$top=0&$inlinecount=allpages')]))
      const response = await fetch(new URL(shown.download, ui5.page.url()))
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ])
    })

    it('MUST sort and filter groups of a binding, and count those of the last level', async () => {
      const seen = await ui5.run(
        async ({ bindAnalytical, Filter, open, Sorter, until }, { root, useBatch }) => {
          const model = await open(root, { useBatch })
          const dimension = { visible: true, inResult: true, total: false }
          const binding = bindAnalytical(
            model,
            '/Sales',
            {
              analyticalInfo: [
                { name: 'Customer', grouped: true, ...dimension },
                { name: 'Quantity', visible: true, inResult: false, total: true },
              ],
              useBatchRequests: useBatch,
              provideTotalResultSize: true,
              provideGrandTotals: true,
              autoExpandMode: 'Sequential',
            },
            [new Sorter('Quantity', true)],
            [new Filter('Country', 'EQ', 'DE')],
          )
          let changes = 0
          binding.attachChange(() => changes++)
          binding.initialize()
          const load = (): object[] => {
            const [root] = binding.getRootContexts({ startIndex: 0, length: 1, threshold: 0 })
            return root === undefined || root === null
              ? []
              : binding.getNodeContexts(root, {
                  startIndex: 0,
                  length: 10,
                  threshold: 0,
                  level: 0,
                  numberOfExpandedLevels: 0,
                })
          }
          load()
          await until(() => load().length === 2 && binding.getTotalSize() === 2, 'two customers')
          const total = binding.getRootContexts({ startIndex: 0, length: 1, threshold: 0 })[0]?.getObject()
          return {
            total: total?.Quantity,
            customers: load().map((one) => {
              const { Customer, Quantity } = (one as { getObject(): Record<string, unknown> }).getObject()
              return [Customer, Quantity]
            }),
            changed: changes > 0,
          }
        },
        { root, useBatch },
      )
      expect(seen).toEqual({
        total: 7,
        customers: [
          ['Ben', 4],
          ['Anna', 3],
        ],
        changed: true,
      })
      expect(queries()).toEqual(
        expect.arrayContaining([
          expect.stringContaining("$filter=(Country eq 'DE')"),
          expect.stringContaining('$orderby=Quantity desc'),
        ]),
      )
    })
  })
})
