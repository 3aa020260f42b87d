import express from 'express'
import type { AccessRights, Operation } from '../../lib/index.js'
import { memoryProvider, odataV2 } from '../../lib/index.js'
import type { ODataError } from '../../lib/errors/odata-error.js'
import { TestServer } from '../support/http-exchange.js'
import { staffModel, staffRows } from '../support/services/staff.js'

type Rights = AccessRights<typeof staffModel>

const clerk: Rights = { hidden: ['Salary', 'Home/Zip'], readonly: ['Grade'] }

describe('Hidden columns', () => {
  let server: TestServer
  let errors: ODataError[]
  let rights: (operation: Operation) => Rights | undefined

  beforeEach(async () => {
    errors = []
    rights = () => clerk
    const staff = staffRows()
    const provider = memoryProvider(
      staffModel,
      { Staff: staff },
      { functions: { Best: () => staff[0] as never, All: () => staff as never } },
    )
    const options = {
      search: { Staff: ['Name', 'Grade', 'Boss/Name'] } as const,
      serviceRoot: 'http://firm.test/',
      onError: (error: ODataError) => void errors.push(error),
    }
    const app = express()
    app.use(
      '/clerk',
      odataV2(staffModel, provider, { ...options, authorize: (operation) => rights(operation as Operation) }),
    )
    app.use('/boss', odataV2(staffModel, provider, options))
    server = await TestServer.start(app)
  })

  afterEach(() => server.stop())

  const get = async (
    path: string,
    accept = 'application/json',
  ): Promise<{ status: number; text: string }> => {
    const { status, text } = await server.send(`/clerk${path}`, { headers: { accept } })
    return { status, text }
  }

  const change = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; text: string }> => {
    const condition = method === 'POST' ? {} : { 'if-match': '*' }
    const response = await server.send(`/clerk${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...condition,
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: response.text }
  }

  const stored = async (id: number): Promise<Record<string, unknown>> => {
    const { text } = await server.send(`/boss/Staff(${id})`, { headers: { accept: 'application/json' } })
    return (JSON.parse(text) as { d: Record<string, unknown> }).d
  }

  it.each(['application/json', 'application/atom+xml'])(
    'MUST be omitted from every document in %s',
    async (accept) => {
      const paths = [
        '/Staff',
        '/Staff(1)',
        '/Staff?$select=*',
        '/Staff?$expand=Reports/Reports/Boss',
        '/Staff(3)?$expand=Boss/Boss',
        '/Staff(3)/Boss/Boss',
        '/Staff(1)/Reports',
        '/Best',
        '/All?$expand=Boss',
        '/Staff?$filter=Boss/Boss/ID eq 1&$expand=Boss',
      ]
      for (const path of paths) {
        const { status, text } = await get(path.replaceAll(' ', '%20'), accept)
        expect({ path, status }).toEqual({ path, status: 200 })
        expect(text).not.toMatch(/Salary|47\d\d|Zip|[234][05]00/)
        expect(text).toContain('City')
      }
    },
  )

  it.each([
    '$filter=Salary%20gt%204711',
    '$filter=Boss/Salary%20gt%204711',
    '$filter=Boss/Boss/Home/Zip%20eq%20%271%27',
    "$filter=cast('Firm.Person')/Salary%20gt%201",
    '$orderby=Salary',
    '$orderby=Boss/Salary',
    '$orderby=Home/Zip',
    '$select=Salary',
    '$expand=Boss&$select=Boss/Salary',
    '$select=Boss/Salary',
  ])('MUST be unknown in %s', async (options) => {
    const { status, text } = await get(`/Staff?${options}`)
    expect(status).toBe(400)
    expect(text).toMatch(/has no property '(Salary|Zip)'/)
  })

  it('MUST NOT be suggested', async () => {
    for (const path of [
      '/Staff?$orderby=Salaries',
      '/Staff(1)/Salaries',
      '/Staff?$filter=Boss/Salaries%20eq%201',
      '/Staff?$expand=Boss/Salaries',
    ]) {
      expect((await get(path)).text).not.toMatch(/Salary/)
    }
    expect((await change('MERGE', '/Staff(1)', { Salaries: 1 })).text).not.toMatch(/Salary/)
    expect((await change('POST', '/Staff', { ID: 4, Reports: [{ ID: 5, Salaries: 1 }] })).text).not.toMatch(
      /Salary/,
    )
  })

  it('MUST NOT have an address', async () => {
    const paths = [
      '/Staff(1)/Salary',
      '/Staff(1)/Salary/$value',
      '/Staff(1)/Home/Zip',
      '/Staff(2)/Boss/Salary/$value',
      '/Best/Salary',
    ]
    for (const path of paths) expect({ path, ...(await get(path)) }).toMatchObject({ path, status: 404 })
    expect((await get('/Staff(1)/Home')).text).not.toContain('Zip')
    for (const path of paths) expect(await change('OPTIONS', path)).toMatchObject({ status: 404 })
    expect(await change('OPTIONS', '/Staff(1)/Name')).toMatchObject({ status: 204 })
    for (const method of ['PUT', 'MERGE', 'DELETE', 'POST'])
      expect(await change(method, '/Staff(1)/Salary', { Salary: 1 })).toMatchObject({ status: 404 })
    expect(await change('PUT', '/Staff(1)/Home/Zip/$value')).toMatchObject({ status: 404 })
    expect((await stored(1)).Salary).toBe(4711)
  })

  it('MUST hide navigation properties in the same way', async () => {
    rights = () => ({ hidden: ['Reports'] })
    for (const path of [
      '/Staff(1)/Reports',
      '/Staff(1)/$links/Reports',
      '/Staff(1)/Reports/$count',
      '/Staff(1)/Reports(2)/Name',
    ])
      for (const method of ['GET', 'OPTIONS'])
        expect(await change(method, path)).toMatchObject({ status: 404 })
    expect(await get('/Staff?$expand=Reports')).toMatchObject({ status: 400 })
    expect((await get('/Staff')).text).not.toContain('Reports')
    expect(await change('POST', '/Staff(1)/Reports', { ID: 9 })).toMatchObject({
      status: 404,
    })
    expect(await change('DELETE', '/Staff(1)/$links/Reports(2)')).toMatchObject({ status: 404 })
    const Boss = { __metadata: { uri: 'http://firm.test/Staff(1)/Reports(2)' } }
    expect(await change('MERGE', '/Staff(3)', { Boss })).toMatchObject({ status: 400 })
    expect(await change('POST', '/Staff', { ID: 9, Boss })).toMatchObject({ status: 400 })
  })

  it('MUST be unknown in bodies, also of nested entities, and get their default', async () => {
    for (const body of [
      { ID: 4, Salary: 1 },
      { ID: 4, Home: { Zip: '1' } },
      { ID: 4, Reports: [{ ID: 5, Reports: [{ ID: 6, Salary: 1 }] }] },
      { ID: 4, Boss: { ID: 5, Salary: 1 } },
    ]) {
      const { status, text } = await change('POST', '/Staff', body)
      expect({ status, text }).toMatchObject({
        status: 400,
        text: expect.stringMatching(/(Salary|Zip)' does not exist/) as string,
      })
    }
    const created = await change('POST', '/Staff', { ID: 4, Name: 'Dan' })
    expect(created.status).toBe(201)
    expect(created.text).not.toMatch(/Salary|Zip/)
    expect(await stored(4)).toMatchObject({ Salary: 7, Home: { Zip: '0' } })
    expect(await change('MERGE', '/Staff(1)', { Salary: 1 })).toMatchObject({ status: 400 })
    expect(await change('PUT', '/Staff(1)', { Salary: 1 })).toMatchObject({ status: 400 })
  })

  it('MUST be preserved when an entity or a complex value is replaced', async () => {
    expect(await change('PUT', '/Staff(1)', { Name: 'Eve' })).toMatchObject({ status: 204 })
    expect(await stored(1)).toMatchObject({
      Name: 'Eve',
      Salary: 4711,
      Grade: 'A',
      Home: { City: null, Zip: '3000' },
    })
    expect(await change('PUT', '/Staff(2)/Home', { Home: { City: 'Chur' } })).toMatchObject({ status: 204 })
    expect(await stored(2)).toMatchObject({ Home: { City: 'Chur', Zip: '4000' } })
    const shown = await change('MERGE', '/Staff(3)', { Name: 'x' }, { prefer: 'return=representation' })
    expect(shown.status).toBe(200)
    expect(shown.text).not.toMatch(/Salary|Zip/)
  })

  it('MUST NOT appear in next links', async () => {
    const { text } = await get('/Staff?$orderby=Name&$top=2')
    expect(text).not.toMatch(/47\d\d/)
  })

  it('MUST be hidden in the parts of a batch', async () => {
    const part = (path: string): string =>
      `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET ${path} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`
    const { text } = await server.send('/clerk/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: `${part('Staff(1)')}${part('Staff?$filter=Salary%20gt%201')}${part('Staff(1)/Salary/$value')}--b--\r\n`,
    })
    expect(text).not.toContain('4711')
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 404'])
  })

  it('MUST NOT share cached pages and plans with other callers', async () => {
    const responses: boolean[] = []
    for (const isClerk of [false, true, false, true, false, true]) {
      rights = () => (isClerk ? clerk : undefined)
      responses.push(
        (await get('/Staff')).text.includes('4711'),
        (await get('/Staff(1)/Salary')).status === 200,
      )
    }
    expect(responses).toEqual([true, true, false, false, true, true, false, false, true, true, false, false])
  })

  it('MUST NOT be searched', async () => {
    rights = () => ({ hidden: ['Name', 'Boss'] })
    expect((await get('/Staff/$count?search=ada')).text).toBe('0')
    expect((await get('/Staff/$count?search=a')).text).toBe('1')
    rights = () => undefined
    expect((await get('/Staff/$count?search=ada')).text).toBe('2')
  })

  it('MUST be read by a filter of authorize', async () => {
    rights = () => ({ filter: 'Salary gt 4711', hidden: ['Salary'] })
    const { text } = await get('/Staff')
    expect(text).toContain('Bob')
    expect(text).not.toMatch(/Ada|Salary/)
  })

  it.each<[string, () => unknown]>([
    ['a key property', () => ({ hidden: ['ID'] })],
    ['a concurrency token', () => ({ hidden: ['Version'] })],
    ['an unknown name', () => ({ hidden: ['Celery'] })],
    ['an unknown member', () => ({ readonly: ['Home/Street'] })],
    ['a string instead of names', () => ({ hidden: 'Salary' })],
  ])('MUST be an error of the application for %s', async (_what, returned) => {
    rights = returned as typeof rights
    expect(await get('/Staff')).toMatchObject({ status: 500 })
    expect(errors).toHaveLength(1)
    expect(await change('MERGE', '/Staff(1)', { Name: 'x' })).toMatchObject({ status: 500 })
  })

  it('MUST accept only names of the model', () => {
    // @ts-expect-error: misspelt
    const misspelt: Rights = { hidden: ['Celery'] }
    // @ts-expect-error: no such member
    const member: Rights = { readonly: ['Home/Street'] }
    expect([misspelt, member]).toHaveLength(2)
  })

  describe('Readonly columns', () => {
    it('MUST be shown, and usable in queries', async () => {
      expect((await get("/Staff?$filter=Grade%20eq%20'A'&$orderby=Grade&$select=Grade")).text).toContain(
        '"Grade":"A"',
      )
      expect(await get('/Staff(1)/Grade/$value')).toEqual({ status: 200, text: 'A' })
    })

    it('MUST keep their value', async () => {
      expect(await change('MERGE', '/Staff(1)', { Grade: 'A', Name: 'Eve' })).toMatchObject({ status: 204 })
      expect(await change('PUT', '/Staff(1)', { Grade: 'A' })).toMatchObject({ status: 204 })
      for (const method of ['MERGE', 'PATCH', 'PUT']) {
        const { status, text } = await change(method, '/Staff(1)', { Grade: 'B' })
        expect({ status, text }).toMatchObject({
          status: 403,
          text: expect.stringContaining("'Grade'") as string,
        })
      }
      expect(await change('PUT', '/Staff(1)/Grade', { Grade: 'B' })).toMatchObject({ status: 403 })
      expect(await change('DELETE', '/Staff(1)/Grade')).toMatchObject({ status: 403 })
      expect((await stored(1)).Grade).toBe('A')
    })

    it('MUST have no other value than null or the default in new entities', async () => {
      expect(await change('POST', '/Staff', { ID: 5, Grade: 'A' })).toMatchObject({ status: 403 })
      expect(await change('POST', '/Staff', { ID: 5, Reports: [{ ID: 6, Grade: 'A' }] })).toMatchObject({
        status: 403,
      })
      expect(await change('POST', '/Staff', { ID: 5, Grade: null })).toMatchObject({ status: 201 })
    })

    it('MUST refuse links of a readonly navigation property', async () => {
      rights = () => ({ readonly: ['Boss', 'Reports'] })
      const link = { uri: 'http://firm.test/Staff(3)' }
      expect(await change('PUT', '/Staff(1)/$links/Boss', link)).toMatchObject({ status: 403 })
      expect(await change('POST', '/Staff(1)/$links/Reports', link)).toMatchObject({ status: 403 })
      expect(await change('DELETE', '/Staff(1)/$links/Reports(2)')).toMatchObject({ status: 403 })
      expect(await change('MERGE', '/Staff(1)', { Boss: { __metadata: link } })).toMatchObject({
        status: 403,
      })
      expect(await change('POST', '/Staff(1)/Reports', { ID: 8 })).toMatchObject({ status: 403 })
      expect(await change('POST', '/Staff', { ID: 8, Reports: [{ ID: 9 }] })).toMatchObject({
        status: 403,
      })
      expect(await get('/Staff(2)/Boss')).toMatchObject({ status: 200 })
    })

    it.each(['Boss', 'BossID'] as const)(
      'MUST refuse links that change %s from the other side',
      async (name) => {
        rights = () => ({ readonly: [name] })
        const link = { uri: 'http://firm.test/Staff(3)' }
        const bound = { __metadata: link }
        expect(await change('POST', '/Staff(1)/$links/Reports', link)).toMatchObject({ status: 403 })
        expect(await change('DELETE', '/Staff(1)/$links/Reports(2)')).toMatchObject({ status: 403 })
        expect(await change('DELETE', '/Staff(1)/Reports(2)')).toMatchObject({ status: 403 })
        expect(await change('POST', '/Staff', { ID: 8, Reports: [bound] })).toMatchObject({ status: 403 })
        expect(await change('POST', '/Staff', { ID: 8, Reports: [{ ID: 9 }] })).toMatchObject({ status: 403 })
        expect(await change('POST', '/Staff', { ID: 8, Boss: bound })).toMatchObject({ status: 403 })
        expect(await change('POST', '/Staff(1)/Reports', { ID: 8 })).toMatchObject({ status: 403 })
        expect(await change('MERGE', '/Staff(1)', { Boss: bound })).toMatchObject({ status: 403 })
        expect(await change('PUT', '/Staff(1)/$links/Boss', link)).toMatchObject({ status: 403 })
        expect(await change('DELETE', '/Staff(2)/$links/Boss')).toMatchObject({ status: 403 })
        expect((await stored(2)).BossID).toBe(1)
      },
    )
  })
})
