import SQLite from 'better-sqlite3'
import { runGuide } from '../../support/guide-app.js'
import { TestServer } from '../../support/http-exchange.js'

/** The guide on drafts, with the requests that Fiori elements for OData V2 sends in each step. */

const ACTIVE = "Orders(ID=guid'11111111-1111-4111-8111-111111111111',IsActiveEntity=true)"
const DRAFT = ACTIVE.replace('true', 'false')
const KEY = "ID=guid'11111111-1111-4111-8111-111111111111'"

let server: TestServer
let database: SQLite.Database

beforeEach(async () => {
  database = new SQLite(':memory:')
  const open = function (): SQLite.Database {
    return database
  }
  server = await TestServer.start(await runGuide('docs/drafts.md', { 'better-sqlite3': open }))
})
afterEach(async () => {
  jest.restoreAllMocks()
  await server.stop()
  database.close()
})

interface Reply {
  readonly status: number
  readonly entity: Readonly<Record<string, unknown>>
  readonly text: string
}

async function send(method: string, path: string, body?: object, user = 'ada'): Promise<Reply> {
  const { status, text } = await server.send(`/shop/${path.replaceAll(' ', '%20')}`, {
    method,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', 'x-user': user },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status, entity: entityOf(text), text }
}

const entityOf = (text: string): Reply['entity'] =>
  text.startsWith('{"d":') ? (JSON.parse(text) as { d: Reply['entity'] }).d : {}

/** Sends each list of requests as a change set of one batch, and returns the statuses. */
async function sendBatch(...changeSets: (readonly [string, string, object?])[][]): Promise<number[]> {
  const parts = changeSets.map((requests) => [
    '--b',
    'Content-Type: multipart/mixed; boundary=c',
    '',
    ...requests.flatMap(([method, path, body]) => [
      '--c',
      'Content-Type: application/http',
      'Content-Transfer-Encoding: binary',
      '',
      `${method} ${path} HTTP/1.1`,
      'Accept: application/json',
      'Content-Type: application/json',
      'Prefer: handling=strict',
      '',
      body === undefined ? '' : JSON.stringify(body),
    ]),
    '--c--',
  ])
  const { text } = await server.send('/shop/$batch', {
    method: 'POST',
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
    body: [...parts.flat(), '--b--', ''].join('\r\n'),
  })
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
}

async function list(filter: string, user?: string): Promise<unknown[]> {
  const query = `$filter=${filter}&$expand=DraftAdministrativeData&$orderby=Note`
  const { status, entity, text } = await send('GET', `Orders?${query}`, undefined, user)
  if (status !== 200) throw new Error(text)
  const rows = entity.results as Reply['entity'][]
  return rows.map(({ Note, IsActiveEntity }) => [Note, IsActiveEntity])
}

const ALL = '(IsActiveEntity eq false or SiblingEntity/IsActiveEntity eq null)'
const OWN = 'IsActiveEntity eq false'
const UNCHANGED = 'IsActiveEntity eq true and HasDraftEntity eq false'
const OTHERS = 'IsActiveEntity eq true and SiblingEntity/IsActiveEntity eq null and DraftAdministrativeData/'
const LOCKED = `${OTHERS}InProcessByUser ne ''`
const UNSAVED = `${OTHERS}InProcessByUser eq ''`

const edit = (user = 'ada', more = '&PreserveChanges=true'): Promise<Reply> =>
  send('POST', `Orders_Edit?${KEY}&IsActiveEntity=true${more}`, undefined, user)

/** Lets the locks of all drafts expire. */
function passTwentyMinutes(): void {
  const now = Date.now() + 20 * 60_000
  jest.spyOn(Date, 'now').mockReturnValue(now)
}

describe('The example of the guide on drafts', () => {
  it('MUST announce the actions of the document', async () => {
    const { text } = await server.send('/shop/$metadata')
    expect(text).toContain('com.sap.vocabularies.Common.v1.DraftRoot')
    expect(text).toContain('Shop.Container/Orders_Activation')
    expect(text).toMatch(/<FunctionImport Name="Orders_Edit"[^>]* sap:action-for="Shop.Order"/)
  })

  it('MUST change a draft and leave the active order as it is, until activation replaces it', async () => {
    const draft = await edit()
    expect(draft).toMatchObject({
      status: 200,
      entity: { IsActiveEntity: false, HasActiveEntity: true, HasDraftEntity: false, Customer: 'Ada' },
    })
    const active = await send('GET', `${ACTIVE}?$expand=SiblingEntity`)
    expect(active.entity).toMatchObject({ HasDraftEntity: true, SiblingEntity: { IsActiveEntity: false } })

    expect(await sendBatch([['MERGE', DRAFT, { Note: 'Changed' }]])).toEqual([204])
    expect((await send('GET', ACTIVE)).entity.Note).toBe('Urgent')
    const post = (name: string): readonly [string, string] => ['POST', `${name}?${KEY}&IsActiveEntity=false`]
    expect(await sendBatch([post('Orders_Preparation')], [post('Orders_Activation')])).toEqual([200, 200])

    expect((await send('GET', ACTIVE)).entity).toMatchObject({ Note: 'Changed', HasDraftEntity: false })
    expect((await send('GET', DRAFT)).status).toBe(404)
    expect((await send('GET', 'DraftAdministrativeData/$count')).text).toBe('0')
  })

  it('MUST add, change and remove items with the draft', async () => {
    await edit()
    const [first] = (await send('GET', `${DRAFT}/Items`)).entity.results as Reply['entity'][]
    expect(first).toMatchObject({ IsActiveEntity: false, HasActiveEntity: true, Product: 'Gouda' })
    const added = await send('POST', `${DRAFT}/Items`, { Product: 'Feta', Amount: 1 })
    expect(added).toMatchObject({ status: 201, entity: { IsActiveEntity: false, HasActiveEntity: false } })
    const item = `Items(ID=guid'${String(first?.ID)}',IsActiveEntity=false)`
    expect((await send('DELETE', item)).status).toBe(204)
    expect((await send('GET', `${ACTIVE}/Items/$count`)).text).toBe('1')
    await send('POST', `Orders_Activation?${KEY}&IsActiveEntity=false`)
    const { results } = (await send('GET', `${ACTIVE}/Items`)).entity
    expect(results).toMatchObject([
      { Product: 'Feta', Amount: 1, IsActiveEntity: true, HasDraftEntity: false },
    ])
    expect((await send('GET', 'Items/$count')).text).toBe('1')
  })

  it.each([
    ['the action', 'POST', `Orders_Discard?${KEY}&IsActiveEntity=false`],
    ['DELETE', 'DELETE', DRAFT],
  ])('MUST discard a draft by %s', async (_name, method, path) => {
    await edit()
    await send('MERGE', DRAFT, { Note: 'Changed' })
    expect((await send(method, path)).status).toBe(204)
    expect((await send('GET', DRAFT)).status).toBe(404)
    expect((await send('GET', ACTIVE)).entity).toMatchObject({ Note: 'Urgent', HasDraftEntity: false })
    expect((await send('GET', `${ACTIVE}/Items?$filter=HasDraftEntity`)).entity.results).toEqual([])
    expect((await send('GET', 'Items/$count')).text).toBe('1')
    expect((await send('GET', 'DraftAdministrativeData/$count')).text).toBe('0')
  })

  it('MUST create a draft, which cannot be activated before it is complete', async () => {
    const { status, entity } = await send('POST', 'Orders', { Note: 'New' })
    expect([status, entity]).toMatchObject([
      201,
      { IsActiveEntity: false, HasActiveEntity: false, HasDraftEntity: false },
    ])
    const key = `ID=guid'${String(entity.ID)}'`
    expect(await list(ALL)).toEqual([
      ['New', false],
      ['Urgent', true],
    ])
    const incomplete = await send('POST', `Orders_Activation?${key}&IsActiveEntity=false`)
    expect(incomplete.status).toBe(400)
    expect(incomplete.text).toContain('"target":"Customer"')
    await send('MERGE', `Orders(${key},IsActiveEntity=false)`, { Customer: 'Ben' })
    const active = await send('POST', `Orders_Activation?${key}&IsActiveEntity=false`)
    expect(active).toMatchObject({ status: 200, entity: { IsActiveEntity: true, Customer: 'Ben' } })
    expect((await send('DELETE', `Orders(${key},IsActiveEntity=true)`)).status).toBe(204)
  })

  it('MUST discard a draft that was never active', async () => {
    const { entity } = await send('POST', 'Orders', { Customer: 'New' })
    const discard = `Orders_Discard?ID=guid'${String(entity.ID)}'&IsActiveEntity=false`
    expect((await send('POST', discard)).status).toBe(204)
    expect((await send('GET', 'Orders/$count')).text).toBe('1')
  })

  it('MUST find orders by the editing status that the user chooses', async () => {
    const seen = async (user: string): Promise<unknown[]> => {
      const lists = []
      for (const filter of [ALL, OWN, UNCHANGED, LOCKED, UNSAVED]) lists.push(await list(filter, user))
      return lists
    }
    const active = [['Urgent', true]]
    const draft = [['Urgent', false]]
    expect(await seen('ada')).toEqual([active, [], active, [], []])
    await edit()
    expect(await seen('ada')).toEqual([draft, draft, [], [], []])
    expect(await seen('ben')).toEqual([active, [], [], active, []])
    expect((await send('GET', `Orders/$count?$filter=${LOCKED}`, undefined, 'ben')).text).toBe('1')
    expect((await send('GET', `Orders/$count?$filter=${LOCKED}`)).text).toBe('0')
    database.exec(`update "DraftAdministrativeData" set "InProcessByUser" = ''`)
    expect(await seen('ben')).toEqual([active, [], [], [], active])
  })

  it('MUST show drafts to their owner only, and refuse changes of others and of active orders', async () => {
    await edit()
    const { entity } = await send('GET', `${DRAFT}/DraftAdministrativeData`)
    expect(entity).toMatchObject({
      InProcessByUser: 'ada',
      DraftIsCreatedByMe: true,
      DraftIsProcessedByMe: true,
    })
    const ofOthers: [string, string, object?][] = [
      ['GET', DRAFT],
      ['GET', `${DRAFT}/Items`],
      ['MERGE', DRAFT, { Note: 'x' }],
      ['DELETE', DRAFT],
      ['POST', `${DRAFT}/Items`, { Product: 'x' }],
      ['POST', `Orders_Activation?${KEY}&IsActiveEntity=false`],
      ['POST', `Orders_Discard?${KEY}&IsActiveEntity=false`],
    ]
    for (const [method, path, body] of ofOthers)
      expect([method, path, (await send(method, path, body, 'ben')).status]).toEqual([method, path, 404])
    expect((await send('MERGE', ACTIVE, { Note: 'x' })).status).toBe(404)
    expect((await send('POST', `${ACTIVE}/Items`, { Product: 'x' })).status).toBe(404)
    expect((await send('DELETE', ACTIVE, undefined, 'ben')).status).toBe(409)
  })

  it('MUST lock an order for others, who can discard unsaved changes after 15 minutes', async () => {
    await edit()
    expect((await edit('ben')).status).toBe(409)
    expect((await edit('ben', '')).status).toBe(409)
    passTwentyMinutes()
    const refused = await edit('ben')
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('ada has unsaved changes.')])
    expect((await edit('ben', '')).entity).toMatchObject({ IsActiveEntity: false })
    expect((await send('GET', DRAFT)).status).toBe(404)
    expect((await send('GET', DRAFT, undefined, 'ben')).status).toBe(200)
  })
})
