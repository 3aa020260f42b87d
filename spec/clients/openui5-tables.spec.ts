import { OpenUI5, startTime } from './support/openui5.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

let ui5: OpenUI5

beforeAll(async () => {
  ui5 = await OpenUI5.start()
}, startTime)
afterAll(() => ui5.close())

describe.each(stores)('tables of OpenUI5 over a catalogue in %s', (_name, openStore) => {
  let northwind: Northwind
  let root: string

  beforeAll(async () => {
    northwind = await openNorthwind(openStore)
    root = ui5.mount('northwind', northwind.service)
  })
  afterAll(() => northwind.close())
  beforeEach(() => void ui5.takeRequests())
  afterEach(() => {
    expect(ui5.takeErrors()).toEqual([])
  })

  const productNames = (): Promise<string[]> =>
    ui5.run(async ({ open, read, Sorter }, root) => {
      const sorters = [new Sorter('CategoryID', true), new Sorter('ProductName')]
      const { data } = await read<{ results: { ProductName: string }[] }>(await open(root), '/Products', {
        sorters,
      })
      return data.results.map(({ ProductName }) => ProductName)
    }, root)

  it.each([
    ['the user presses for more', false],
    ['the user scrolls down', true],
  ])(
    'MUST read every product once in a growing sap.m.Table, in order, and count them, when %s',
    async (_how, byScroll) => {
      let isComplete = false
      const user = async (): Promise<void> => {
        await ui5.page.waitForSelector('.sapMListTblRow')
        while (!isComplete) {
          if (byScroll) {
            await ui5.page.mouse.move(200, 200)
            await ui5.page.mouse.wheel(0, 5000)
            await ui5.page.waitForTimeout(20)
          } else await ui5.page.click('.sapMGrowingListTrigger', { timeout: 1000 }).catch(() => undefined)
        }
      }
      const reading = ui5.run(
        async (
          { open, show, until, Table, Column, ColumnListItem, ScrollContainer, Text, Title, Sorter },
          { root, byScroll },
        ) => {
          const model = await open(root)
          const title = new Title()
          const table = new Table({
            growing: true,
            growingThreshold: 20,
            growingScrollToLoad: byScroll,
            columns: [new Column({ header: title }), new Column({ header: new Text({ text: 'Category' }) })],
          })
          table.setModel(model)
          const steps: number[] = []
          const length = (): number =>
            (table.getBinding('items') as unknown as { getLength(): number }).getLength()
          table.attachUpdateFinished(() => {
            title.setText(`Products (${String(length())})`)
            steps.push(table.getItems().length)
          })
          table.bindItems({
            path: '/Products',
            sorter: [new Sorter('CategoryID', true), new Sorter('ProductName')],
            parameters: { expand: 'Category', select: 'ProductName,CategoryID,Category/CategoryName' },
            template: new ColumnListItem({
              cells: [new Text({ text: '{ProductName}' }), new Text({ text: '{Category/CategoryName}' })],
            }),
          })
          show(byScroll ? new ScrollContainer({ height: '500px', vertical: true, content: [table] }) : table)
          await until(() => table.getItems().length > 0 && table.getItems().length === length(), 'all rows')
          return {
            names: table
              .getItems()
              .map((item) => item.getBindingContext()?.getProperty('ProductName') as string),
            categories: table
              .getItems()
              .map((item) =>
                (item.getAggregation('cells') as unknown as { getText(): string }[])[1]?.getText(),
              ),
            steps: [...new Set(steps)],
            title: title.getText(),
          }
        },
        { root, byScroll },
      )
      const [table] = await Promise.all([reading.finally(() => (isComplete = true)), user()])
      const all = await productNames()
      expect(table.names).toEqual(all)
      expect(new Set(table.categories)).toContain('Drinks')
      expect(table.steps.slice(0, 3)).toEqual([20, 40, 60])
      expect(table.title).toBe(`Products (${String(all.length)})`)
    },
  )

  it('MUST fill the rows of a sap.ui.table.Table at every scroll position', async () => {
    const seen = await ui5.run(async ({ open, show, until, GridTable, GridColumn, Text, Sorter }, root) => {
      const model = await open(root)
      const table = new GridTable({
        columns: [
          new GridColumn({
            label: new Text({ text: 'Name' }),
            template: new Text({ text: '{ProductName}' }),
          }),
        ],
        threshold: 10,
      })
      table.setModel(model)
      const sorter = [new Sorter('CategoryID', true), new Sorter('ProductName')]
      table.bindRows({ path: '/Products', sorter, parameters: { countMode: 'Inline' } })
      show(table)
      const texts = (): string[] =>
        table.getRows().map((row) => (row.getCells()[0] as unknown as { getText(): string }).getText())
      const binding = (): { getLength(): number; isLengthFinal(): boolean } =>
        table.getBinding('rows') as unknown as { getLength(): number; isLengthFinal(): boolean }
      await until(() => (texts()[0] ?? '') !== '' && binding().isLengthFinal(), 'the first rows')
      // Rows are bound to the entities of another position after the call.
      const areBound = (): boolean =>
        table.getRows().every((row, index) => {
          const entity = table.getContextByIndex(table.getFirstVisibleRow() + index)
          const isLoaded = texts()[index] !== ''
          return isLoaded && row.getBindingContext()?.getPath() === entity?.getPath()
        })
      const total = binding().getLength()
      const names = new Map<number, string>()
      for (let from = 0; from < total; from += 7) {
        table.setFirstVisibleRow(Math.min(from, total - table.getRows().length))
        await until(areBound, 'the rows in view')
        texts().forEach((text, index) => names.set(table.getFirstVisibleRow() + index, text))
      }
      return { total, names: [...names].sort(([a], [b]) => a - b).map(([, name]) => name) }
    }, root)
    const all = await productNames()
    expect(seen).toEqual({ total: all.length, names: all })
  })

  it('MUST change filters and orders of a table while it is displayed', async () => {
    const seen = await ui5.run(
      async ({ open, show, until, Table, Column, ColumnListItem, Text, Sorter, Filter }, root) => {
        const model = await open(root)
        const table = new Table({ columns: [new Column()], growing: true })
        table.setModel(model)
        table.bindItems({
          path: '/Products',
          template: new ColumnListItem({ cells: [new Text({ text: '{ProductName}' })] }),
        })
        show(table)
        const names = (): string[] =>
          table.getItems().map((item) => item.getBindingContext()?.getProperty('ProductName') as string)
        await until(() => names().length === 20, 'the first rows')
        const list = table.getBinding('items') as unknown as {
          filter(filters: unknown[]): void
          sort(sorter: unknown): void
          getLength(): number
        }
        list.filter([new Filter('Category/CategoryName', 'EQ', 'Drinks')])
        await until(() => names().length > 0 && names().length < 20, 'the drinks')
        list.sort(new Sorter('ProductName', true))
        const first = names()[0]
        await until(() => names().length > 0 && names()[0] !== first, 'the drinks in another order')
        return { length: list.getLength(), names: names() }
      },
      root,
    )
    expect(seen.names).toHaveLength(seen.length)
    expect(seen.names.slice(0, 2)).toEqual(['Sparkling Quince', 'Rooibos with Orange'])
  })

  it('MUST expand a tree over navigation properties', async () => {
    const tree = await ui5.run(async ({ open, show, until, TreeTable, GridColumn, Text }, root) => {
      const model = await open(root)
      const table = new TreeTable({
        columns: [
          new GridColumn({ label: new Text({ text: 'Name' }), template: new Text({ text: '{FullName}' }) }),
        ],
      })
      table.setModel(model)
      table.bindRows({
        path: '/Employees(1)',
        parameters: { navigation: { Employees: 'DirectReports' }, countMode: 'Inline' },
      })
      show(table)
      const texts = (): string[] =>
        table
          .getRows()
          .map((row) => (row.getCells()[0] as unknown as { getText(): string }).getText())
          .filter((text) => text !== '')
      await until(() => texts().length > 0, 'those below the head')
      const before = texts()
      table.expand(0)
      await until(() => texts().length > before.length, 'those below')
      return { before, after: texts() }
    }, root)
    expect(tree.before).toContain('Anselm Brandt')
    expect(tree.after.length).toBeGreaterThan(tree.before.length)
  })
})
