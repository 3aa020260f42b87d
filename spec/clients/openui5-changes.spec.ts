import { ODataError } from 'express-odata-v2'
import type { ODataV2Options } from 'express-odata-v2'
import type { IncomingMessage } from 'node:http'
import { OpenUI5, startTime } from './support/openui5.js'
import type { Northwind } from './support/northwind.js'
import { openNorthwind, stores } from './support/northwind.js'

let ui5: OpenUI5

beforeAll(async () => {
  ui5 = await OpenUI5.start()
}, startTime)
afterAll(() => ui5.close())

/** A check of the application, with a message for the user and one for the field. */
const hooks: ODataV2Options['hooks'] = {
  Products: {
    beforeUpdate({ UnitsInStock }, _current, { messages }) {
      if (typeof UnitsInStock !== 'number') return undefined
      if (UnitsInStock < 0) {
        const field = {
          code: 'STOCK/2',
          message: 'The amount must not be negative.',
          severity: 'error',
          target: 'UnitsInStock',
        }
        throw new ODataError('BadRequest', {
          message: 'The stock cannot be negative.',
          innererror: { errordetails: [field] },
        })
      }
      if (UnitsInStock < 3) {
        messages.add({
          code: 'STOCK/1',
          message: 'Order more soon – “now”.',
          severity: 'warning',
          target: 'UnitsInStock',
        })
      }
      return undefined
    },
  },
}

describe.each(stores)('sap.ui.model.odata.v2.ODataModel changing a catalogue in %s', (_name, openStore) => {
  let northwind: Northwind
  let root: string

  beforeEach(async () => {
    // A session of the application, which the specs can change.
    const session = ({ headers }: IncomingMessage): string =>
      /session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    northwind = await openNorthwind(openStore, { csrf: { session }, hooks })
    root = ui5.mount('northwind', northwind.service)
    ui5.takeRequests()
  })
  afterEach(async () => {
    await northwind.close()
    expect(ui5.takeErrors()).toEqual([])
  })

  /** Reads with a new client that has nothing cached. */
  const readAfresh = (path: string): Promise<Record<string, unknown>> =>
    ui5.run(
      async ({ open, read }, { root, path }) => {
        const model = await open(root, { useBatch: false })
        const { data } = await read<Record<string, unknown>>(model, path)
        return data
      },
      { root, path },
    )

  describe.each([
    ['in batches', { useBatch: true }],
    ['by requests of their own', { useBatch: false }],
    ['by PUT', { useBatch: true, defaultUpdateMethod: 'PUT' }],
    ['in Atom', { useBatch: false, json: false }],
    ['in Atom in batches', { useBatch: true, json: false }],
  ])('%s', (_how, settings) => {
    it('MUST create, change and delete entities', async () => {
      const seen = await ui5.run(
        async ({ open, pathOf, read, create, update, remove, refusal }, { root, settings }) => {
          const model = await open(root, settings)
          const { data: created, response } = await create(model, '/Products', {
            ProductName: 'Kefir',
            CategoryID: 4,
            UnitPrice: '1.25',
            Discontinued: false,
          })
          const path = pathOf(model, '/Products', created)
          const { data: before } = await read<Record<string, unknown>>(model, path)
          await update(model, path, { ProductName: 'Kefir, Mild', Discontinued: false })
          const { data: after } = await read<Record<string, unknown>>(model, path)
          await remove(model, path)
          const { status } = await refusal(read(model, path))
          return {
            created: Number(response.statusCode),
            before: [before.ProductName, Number(before.UnitPrice), before.Version],
            after: [after.ProductName, Number(after.UnitPrice), after.Version],
            gone: status,
          }
        },
        { root, settings },
      )
      // PUT sets what it leaves out to nothing.
      const price = 'defaultUpdateMethod' in settings ? 0 : 1.25
      expect(seen).toEqual({
        created: 201,
        before: ['Kefir', 1.25, 1],
        after: ['Kefir, Mild', price, 2],
        gone: 404,
      })
    })

    it('MUST get 412 for an entity that another user has changed, and succeed after reading it again', async () => {
      const outcome = await ui5.run(
        async ({ open, read, update, refusal, messages }, { root, settings }) => {
          const [mine, theirs] = await Promise.all([open(root, settings), open(root, settings)])
          const path = '/Products(1)'
          const { data: before } = await read<Record<string, number>>(mine, path)
          await read(theirs, path)
          await update(theirs, path, { ProductName: 'Theirs', Discontinued: false })
          const stale = await refusal(update(mine, path, { ProductName: 'Mine', Discontinued: false }))
          const shown = messages().map(({ text }) => text)
          await read(mine, path)
          await update(mine, path, { ProductName: 'Mine after all', Discontinued: false })
          const { data } = await read<Record<string, unknown>>(theirs, path)
          return {
            stale: stale.status,
            shown,
            name: data.ProductName,
            changes: Number(data.Version) - Number(before.Version),
          }
        },
        { root, settings },
      )
      expect(outcome).toEqual({
        stale: 412,
        shown: [expect.stringContaining('changed')],
        name: 'Mine after all',
        changes: 2,
      })
    })
  })

  it('MUST send the changes of a deferred group together on submit', async () => {
    const outcome = await ui5.run(async ({ open, read, submit }, root) => {
      const model = await open(root)
      await read(model, '/Products', { urlParameters: { $top: '3' } })
      model.setDeferredGroups([...(model.getDeferredGroups() as string[]), 'later'])
      model.setChangeGroups({ Product: { groupId: 'later', single: false } })
      model.setProperty('/Products(1)/ProductName', 'One')
      model.setProperty('/Products(2)/UnitPrice', '2.5')
      const context = model.createEntry('/Products', {
        groupId: 'later',
        properties: { ProductName: 'New', Discontinued: false },
      })
      const pending = [model.hasPendingChanges(), context?.isTransient() === true]
      const response = await submit(model, { groupId: 'later' })
      const [changeSet] = (
        response.data as { __batchResponses: { __changeResponses: { statusCode: string }[] }[] }
      ).__batchResponses
      return {
        pending,
        statuses: changeSet?.__changeResponses.map(({ statusCode }) => statusCode),
        after: [model.hasPendingChanges(), context?.isTransient() === true],
        path: context?.getPath(),
      }
    }, root)
    expect(outcome).toEqual({
      pending: [true, true],
      statuses: ['204', '204', '201'],
      after: [false, false],
      path: expect.stringMatching(/^\/Products\(\d+\)$/),
    })
    expect(await readAfresh('/Products(1)')).toMatchObject({ ProductName: 'One' })
    expect(await readAfresh('/Products(2)')).toMatchObject({ UnitPrice: expect.stringMatching(/^2\.50*$/) })
    expect(await readAfresh(outcome.path ?? '')).toMatchObject({ ProductName: 'New' })
    const batches = ui5.takeRequests().filter(({ path }) => path.startsWith('$batch'))
    expect(batches.filter(({ body }) => body.includes('multipart/mixed; boundary=changeset'))).toHaveLength(1)
  })

  it('MUST roll back a whole change set when one part fails, and report the error at its field', async () => {
    const before = await Promise.all([readAfresh('/Products(1)'), readAfresh('/Products(2)')])
    const outcome = await ui5.run(async ({ open, read, submit, messages }, root) => {
      const model = await open(root)
      await read(model, '/Products', { urlParameters: { $top: '3' } })
      model.setProperty('/Products(1)/ProductName', 'Not kept')
      model.setProperty('/Products(2)/UnitsInStock', -1)
      const { data } = await submit(model)
      const [response] = (data as { __batchResponses: { response?: { statusCode: string; body: string } }[] })
        .__batchResponses
      return {
        status: response?.response?.statusCode,
        error: JSON.parse(response?.response?.body ?? '{}') as unknown,
        messages: messages(),
        pending: Object.keys(model.getPendingChanges()),
      }
    }, root)
    expect(outcome).toMatchObject({
      status: '400',
      error: {
        error: {
          message: { value: 'The stock cannot be negative.' },
          innererror: { errordetails: [{ code: 'STOCK/2', target: 'UnitsInStock', severity: 'error' }] },
        },
      },
      // The input is still pending, so that the user can correct it.
      pending: ['Products(1)', 'Products(2)'],
    })
    expect(outcome.messages).toContainEqual(
      expect.objectContaining({
        text: 'The amount must not be negative.',
        type: 'Error',
        code: 'STOCK/2',
        target: '/Products(2)/UnitsInStock',
      }),
    )
    expect(await Promise.all([readAfresh('/Products(1)'), readAfresh('/Products(2)')])).toEqual(before)
  })

  it('MUST pass messages of a successful response to the message manager, at their fields', async () => {
    const shown = await ui5.run(async ({ open, read, submit, messages }, root) => {
      const model = await open(root)
      await read(model, '/Products(3)')
      model.setProperty('/Products(3)/UnitsInStock', 2)
      await submit(model)
      return messages()
    }, root)
    expect(shown).toEqual([
      expect.objectContaining({
        text: 'Order more soon – “now”.',
        type: 'Warning',
        code: 'STOCK/1',
        target: '/Products(3)/UnitsInStock',
      }),
    ])
  })

  it('MUST fetch a CSRF token, and another one when the first has expired', async () => {
    const outcome = await ui5.run(async ({ open, update }, root) => {
      const model = await open(root)
      await update(model, '/Categories(1)', { Description: 'once' })
      const token = model.getSecurityToken() ?? ''
      // A token of another session, as after a new logon.
      document.cookie = 'session=another; path=/'
      await update(model, '/Categories(1)', { Description: 'twice' })
      document.cookie = 'session=; max-age=0; path=/'
      return { hadToken: token.length > 10, isNew: model.getSecurityToken() !== token }
    }, root)
    expect(outcome).toEqual({ hadToken: true, isNew: true })
    expect(await readAfresh('/Categories(1)')).toMatchObject({ Description: 'twice' })
    const tokens = ui5.takeRequests().filter(({ headers }) => headers['x-csrf-token'] === 'Fetch')
    expect(tokens.length).toBeGreaterThanOrEqual(2)
  })

  it('MUST refresh lists after a change', async () => {
    const lists = await ui5.run(async ({ open, pathOf, create, remove, until, Sorter, Filter }, root) => {
      const model = await open(root)
      const list = model.bindList(
        '/Categories',
        undefined,
        [new Sorter('CategoryName')],
        [new Filter('CategoryName', 'LE', 'Czz')],
        { select: 'CategoryName' },
      )
      const names = (): string[] =>
        list.getContexts(0, 20).map((context) => context.getProperty('CategoryName') as string)
      let changes = 0
      list.attachChange(() => changes++)
      list.initialize()
      names()
      await until(() => names().length > 0, 'the first rows')
      const first = names()
      const { data } = await create(model, '/Categories', { CategoryName: 'Baking' })
      await until(() => names().includes('Baking'), 'the new row')
      const second = names()
      await remove(model, pathOf(model, '/Categories', data))
      await until(() => names().length === first.length, 'the list without the row')
      return [first, second, names()]
    }, root)
    expect(lists[0]?.length).toBeGreaterThan(0)
    expect(lists[1]).toEqual(['Baking', ...(lists[0] ?? [])].sort())
    expect(lists[2]).toEqual(lists[0])
  })

  it('MUST create an entity below another one, and expand it in the same batch', async () => {
    const seen = await ui5.run(async ({ open, read, submit, until }, root) => {
      const model = await open(root)
      await read(model, '/Categories(3)')
      const category = model.createBindingContext('/Categories(3)')
      await until(() => category !== null, 'the category')
      const context = model.createEntry('Products', {
        ...(category === null || category === undefined ? {} : { context: category }),
        expand: 'Category',
        properties: { ProductName: 'Nougat', Discontinued: false },
      })
      await submit(model)
      await context?.created()
      return {
        path: context?.getPath(),
        category: model.getProperty('Category/CategoryName', context) as string,
        id: model.getProperty('CategoryID', context) as number,
      }
    }, root)
    expect(seen).toEqual({ path: expect.stringMatching(/^\/Products\(\d+\)$/), category: 'Sweets', id: 3 })
    const [batch] = ui5.takeRequests().filter(({ body }) => body.includes('POST Categories(3)/Products'))
    expect(batch?.body).toMatch(/GET \$id-[-\d]+\?\$expand=Category&\$select=Category HTTP\/1\.1/)
  })

  it('MUST create an order with its lines in one request', async () => {
    const order = await ui5.run(async ({ open, pathOf, read, create }, root) => {
      const model = await open(root)
      const { data } = await create(model, '/Orders', {
        CustomerID: 'ALDER',
        Freight: '3.5',
        Order_Details: [
          { ProductID: 1, UnitPrice: '46', Quantity: 2 },
          { ProductID: 2, UnitPrice: '88.5', Quantity: 1 },
        ],
      })
      const lines = await read(model, `${pathOf(model, '/Orders', data)}/Order_Details`)
      return lines.data.results.map(({ ProductID, Quantity }) => [ProductID, Quantity])
    }, root)
    expect(order).toEqual([
      [1, 2],
      [2, 1],
    ])
  })

  it('MUST upload a photo with a file name and a CSRF token, and display it', async () => {
    const photo = await ui5.run(async ({ open, pathOf, read }, root) => {
      const model = await open(root)
      await new Promise((resolve, reject) => model.refreshSecurityToken(resolve, reject, true))
      const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
      const response = await fetch(`${root}Employees`, {
        method: 'POST',
        headers: {
          'content-type': 'image/png',
          slug: encodeURIComponent('Grüße.png'),
          accept: 'application/json',
          'x-csrf-token': model.getSecurityToken() ?? '',
        },
        body: bytes,
      })
      const text = await response.text()
      if (response.status !== 201) throw new Error(text)
      const { d } = JSON.parse(text) as { d: { EmployeeID: number; __metadata: { media_src: string } } }
      const { data } = await read<Record<string, unknown>>(model, pathOf(model, '/Employees', d))
      const media = await fetch(d.__metadata.media_src)
      return {
        status: response.status,
        same: data.EmployeeID === d.EmployeeID,
        type: media.headers.get('content-type'),
        bytes: [...new Uint8Array(await media.arrayBuffer())].slice(-3),
      }
    }, root)
    expect(photo).toEqual({ status: 201, same: true, type: 'image/png', bytes: [1, 2, 3] })
  })
})
