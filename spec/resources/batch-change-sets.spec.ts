import express from 'express'
import type { EdmModel, Provider } from '../../lib/index.js'
import { ODataError, odataV2 } from '../../lib/index.js'
import {
  responsesIn,
  responsesTo,
  batchBody,
  get,
  jsonOf,
  postBatch,
  single,
  statusesOf,
  written,
} from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { exampleModel, exampleProvider, exampleService } from '../support/services/example-service.js'

let server: TestServer
afterEach(() => server.stop())

async function startDefault(): Promise<void> {
  server = await TestServer.start(express().use('/n', exampleService({ readOnly: false })))
}

async function startWith(parts: Partial<Provider>, failures = new Failures()): Promise<void> {
  const provider = { ...(exampleProvider() as Provider), ...parts }
  const service = odataV2(exampleModel as EdmModel, provider, { onError: failures.onError })
  server = await TestServer.start(express().use('/n', service))
}

const category = (ID: number, more: object = {}): string => JSON.stringify({ ID, Name: `C${ID}`, ...more })
const withId = (id: string, more: object = {}): Record<string, string> => ({ 'Content-ID': id, ...more })

describe('A change set', () => {
  beforeEach(startDefault)

  it('MUST get a part that contains a response for each request', async () => {
    const responses = await responsesTo(server.port, [
      written('POST Categories', category(50)),
      written('MERGE Categories(50)', '{"Note":"n"}'),
      written('DELETE Categories(4)'),
    ])
    expect(statusesOf(responses)).toEqual([[201, 204, 204]])
  })

  it('MUST repeat each Content-ID where the request has it, and nowhere else', async () => {
    const inPart = (id: string): string => `\r\nContent-ID: ${id}\r\n\r\n`
    const body = batchBody([
      written('POST Categories', category(50), withId('request')),
      written('MERGE Categories(50)', '{"Note":"n"}'),
      written('DELETE Categories(4)', '', withId('both-request')),
    ])
      .replace('\r\n\r\nMERGE', `${inPart('part')}MERGE`)
      .replace('\r\n\r\nDELETE', `${inPart('both-part')}DELETE`)
    const [changes] = responsesIn(await postBatch(server.port, body))
    if (changes === undefined || 'status' in changes) throw new Error('The change set failed.')
    expect(changes.map(({ mime, headers }) => [mime['content-id'], headers['content-id']])).toEqual([
      [undefined, 'request'],
      ['part', undefined],
      ['both-part', 'both-request'],
    ])
  })

  it('MUST be visible to later reads, and not to earlier ones', async () => {
    const responses = await responsesTo(
      server.port,
      get('Categories/$count'),
      [written('POST Categories', category(50)), written('POST Categories', category(51))],
      get('Categories/$count'),
    )
    expect([single(responses[0]).body, single(responses[2]).body]).toEqual(['4', '6'])
  })

  it.each([
    ['a JSON body', '{"ID":60,"Name":"n","Category":{"__metadata":{"uri":"$9"}}}', 'application/json'],
    [
      'an Atom link',
      '<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" ' +
        'xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><link ' +
        'rel="http://schemas.microsoft.com/ado/2007/08/dataservices/related/Category" href="$9"/>' +
        '<content type="application/xml"><m:properties><d:ID>60</d:ID></m:properties></content></entry>',
      'application/atom+xml',
    ],
  ])('MUST fail with 404 when %s refers to a Content-ID that nothing has', async (_, body, type) => {
    const responses = await responsesTo(server.port, [
      written('POST Products', body, { 'Content-Type': type }),
    ])
    expect(single(responses[0]).status).toBe(404)
  })

  it('MUST have no effect when one request fails, and get the error of that request in place of all responses', async () => {
    const responses = await responsesTo(
      server.port,
      get('Categories(1)'),
      [
        written('POST Categories', category(50)),
        written('MERGE Categories(1)', '{"Name":"changed"}'),
        written('POST Categories', category(1), withId('bad')),
        written('DELETE Categories(2)'),
      ],
      get('Categories(1)/Name'),
      get('Categories(50)'),
      [written('POST Categories', category(51))],
    )
    expect(statusesOf(responses)).toEqual([200, 409, 200, 404, [201]])
    expect(single(responses[1]).headers['content-id']).toBe('bad')
    expect(jsonOf(responses[2])).toEqual({ Name: 'Cheese' })
    expect((await server.send('/n/Categories(2)')).status).toBe(200)
  })

  it('MUST resolve addresses of entities that it created, in any form', async () => {
    const responses = await responsesTo(
      server.port,
      [
        written('POST Categories', category(50), withId('1')),
        written('POST $1/Products', '{"ID":60,"Name":"P"}', withId('2')),
        written('MERGE http://host/n/$1', '{"Note":"n"}'),
        written('PUT /n/$2/Name', '{"Name":"Q"}', { 'If-Match': '*' }),
      ],
      get('Categories(50)?$expand=Products'),
      get('$2/Category'),
    )
    expect(statusesOf(responses)).toEqual([[201, 201, 204, 204], 200, 200])
    expect(jsonOf(responses[1])).toMatchObject({ Note: 'n', Products: { results: [{ ID: 60, Name: 'Q' }] } })
    expect(jsonOf(responses[2])).toMatchObject({ ID: 50 })
  })

  it('MUST resolve entities that it created in JSON and Atom bodies', async () => {
    const related = 'http://schemas.microsoft.com/ado/2007/08/dataservices/related/Category'
    const d = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
    const entry =
      `<entry xmlns="http://www.w3.org/2005/Atom"><link rel="${related}" href="$new"/>` +
      `<content type="application/xml"><m:properties xmlns:m="${d}/metadata" xmlns:d="${d}">` +
      '<d:ID>61</d:ID></m:properties></content></entry>'
    const responses = await responsesTo(
      server.port,
      [
        written('POST Categories', category(50), withId('new')),
        written('POST Products', '{"ID":60,"Category":{"__metadata":{"uri":"$new"}}}'),
        written('POST Products', entry, { 'Content-Type': 'application/atom+xml;type=entry' }),
        written('PUT Products(4)/$links/Category', '{"uri":"$new"}'),
        written('PUT Products(5)/$links/Category', `<uri xmlns="${d}">http://h/n/$new</uri>`, {
          'Content-Type': 'application/xml',
        }),
      ],
      get('Categories(50)/Products?$select=ID'),
    )
    expect(statusesOf(responses)).toEqual([[201, 201, 201, 204, 204], 200])
    expect(jsonOf(responses[1])).toMatchObject({ results: [{ ID: 4 }, { ID: 5 }, { ID: 60 }, { ID: 61 }] })
  })

  it('MUST respond with 404 to references to requests that created nothing', async () => {
    const responses = await responsesTo(
      server.port,
      [written('POST Categories', category(50), withId('1')), written('MERGE $2', '{"Note":""}')],
      get('$1'),
      [written('PUT Products(5)/$links/Category', '{"uri":"$1"}')],
      get('$7/Products'),
    )
    expect(statusesOf(responses)).toEqual([404, 404, 404, 404])
  })

  it('MUST call functions within it, and be undone when they fail', async () => {
    const responses = await responsesTo(
      server.port,
      [written('POST Raise?pct=1d'), written('POST Categories', category(50))],
      [written('POST Categories', category(51)), written('POST Raise?pct=0d')],
      get('Categories(51)'),
    )
    expect(statusesOf(responses)).toEqual([[204, 201], 409, 404])
  })

  it('MUST take methods that are tunnelled through POST', async () => {
    const responses = await responsesTo(
      server.port,
      [
        written('POST Categories(1)', '{"Note":"t"}', { 'X-HTTP-Method': 'MERGE' }),
        written('POST Categories(4)', '', { 'X-HTTP-Method': 'DELETE' }),
      ],
      get('Categories(1)/Note'),
    )
    expect(statusesOf(responses)).toEqual([[204, 204], 200])
    expect(jsonOf(responses[1])).toEqual({ Note: 't' })
  })

  it('MUST transfer the bytes of media and raw values unchanged', async () => {
    const bytes = '\x00\xff\r\n--c\x80 \r\n\r\n'
    const type = { 'Content-Type': 'application/octet-stream' }
    const responses = await responsesTo(
      server.port,
      [
        written('POST Photos', bytes, { ...type, 'Content-ID': '1' }),
        written('PUT Photos(1)/$value', `${bytes}2`, { ...type, 'If-Match': '*' }),
        written('PUT Products(1)/Pic/$value', bytes, { ...type, 'If-Match': '*' }),
      ],
      written('GET $1/$value'),
      written('GET Photos(1)/$value'),
      written('GET Products(1)/Pic/$value'),
    )
    expect(statusesOf(responses)).toEqual([[201, 204, 204], 200, 200, 200])
    expect(responses.slice(1).map((one) => single(one).body)).toEqual([bytes, `${bytes}2`, bytes])
  })

  it('MUST leave no media behind when it fails', async () => {
    const type = { 'Content-Type': 'text/plain' }
    const responses = await responsesTo(
      server.port,
      [
        written('POST Photos', 'new', { ...type, 'Content-ID': '1' }),
        written('PUT Photos(1)/$value', 'other', { ...type, 'If-Match': '*' }),
        written('DELETE Photos(99)'),
      ],
      get('Photos/$count'),
      written('GET Photos(1)/$value'),
    )
    expect(statusesOf(responses)).toEqual([404, 200, 200])
    expect(responses.slice(1).map((one) => single(one).body)).toEqual(['2', '0123456789'])
  })

  it('MUST be legal when it is empty', async () => {
    expect(statusesOf(await responsesTo(server.port, [], get('Total')))).toEqual([[], 200])
  })
})

describe('A write outside of change sets in a batch', () => {
  beforeEach(startDefault)

  it('MUST get a response like a request outside of it, and be referenced by its Content-ID in later requests', async () => {
    const responses = await responsesTo(
      server.port,
      written('POST Categories', category(50), withId('one')),
      written('POST $one/Products', '{"ID":60}'),
      get('$one/Products(60)'),
    )
    expect(statusesOf(responses)).toEqual([201, 201, 200])
    expect(single(responses[0]).headers['content-id']).toBe('one')
  })

  it('MUST happen all or not at all', async () => {
    const products = { Products: [{ ID: 60 }, { ID: 61 }, { ID: 1 }] }
    const responses = await responsesTo(
      server.port,
      written('POST Categories', category(50, products)),
      get('Categories(50)'),
      get('Products(60)'),
    )
    expect(statusesOf(responses)).toEqual([409, 404, 404])
  })
})

describe('A change set of one request', () => {
  it('MUST happen all or not at all, and be referenced by its Content-ID in later requests', async () => {
    await startDefault()
    const products = { Products: [{ ID: 60 }, { ID: 61 }, { ID: 1 }] }
    const responses = await responsesTo(
      server.port,
      [written('POST Categories', category(50, products), withId('one'))],
      get('$one'),
      [written('POST Categories', category(51), withId('two'))],
      [written('POST $two/Products', '{"ID":60}', withId('three'))],
      get('$three'),
    )
    expect(statusesOf(responses)).toEqual([409, 404, [201], [201], 200])
    expect(single(responses[0]).headers['content-id']).toBe('one')
  })

  it('MUST not begin another change set than the one in which hooks are called', async () => {
    const log: unknown[] = []
    const memory = exampleProvider() as Provider
    const beginChangeSet: Provider['beginChangeSet'] = (call) => {
      log.push('begin')
      return memory.beginChangeSet?.(call) as never
    }
    const hooks = {
      Categories: {
        beforeUpdate: (_row: unknown, _values: unknown, { changeSet }: { changeSet?: unknown }) => {
          log.push(changeSet !== undefined)
        },
      },
    }
    const service = odataV2(exampleModel as EdmModel, { ...memory, beginChangeSet }, { hooks } as never)
    server = await TestServer.start(express().use('/n', service))
    const responses = await responsesTo(server.port, [written('MERGE Categories(1)', '{"Note":"n"}')])
    expect(statusesOf(responses)).toEqual([[204]])
    expect(log).toEqual(['begin', true])
  })
})

describe('nestChangeSetErrors', () => {
  it('MUST return the error of a change set in its place, and not affect other responses', async () => {
    const service = exampleService({ readOnly: false, nestChangeSetErrors: true })
    server = await TestServer.start(express().use('/n', service))
    const responses = await responsesTo(
      server.port,
      [
        written('POST Categories', category(50), withId('1')),
        written('POST Categories', category(1), withId('2')),
      ],
      [written('POST Categories', category(1), withId('3'))],
      get('Nothing'),
      [written('POST Categories', category(51)), written('POST Categories', category(52))],
    )
    expect(statusesOf(responses)).toEqual([[409], [409], 404, [201, 201]])
    const [failed, , read, made] = responses
    if (failed === undefined || 'status' in failed) throw new Error('The error stands alone.')
    expect(failed.map(({ status, headers }) => [status, headers['content-id']])).toEqual([[409, '2']])
    expect(single(read).status).toBe(404)
    expect(made).toHaveLength(2)
  })
})

describe('A change set whose provider fails', () => {
  it('MUST get one error when the commit fails, which is reported to the application', async () => {
    const failures = new Failures()
    const cause = new Error('disk full')
    let rolledBack = 0
    const commit = (): void => {
      throw cause
    }
    const rollBack = (): void => {
      rolledBack++
    }
    await startWith({ beginChangeSet: () => ({ commit, rollBack }) }, failures)
    const changes = [written('POST Raise?pct=1d', '', withId('1')), written('POST Raise?pct=2d')]
    const responses = await responsesTo(server.port, get('Total'), changes, get('Total'))
    expect(statusesOf(responses)).toEqual([200, 500, 200])
    expect(single(responses[1]).body).not.toContain('disk')
    expect([failures.causes, rolledBack]).toEqual([[cause], 1])
  })

  it('MUST keep the error of a provider that refuses to make it lasting', async () => {
    const commit = (): Promise<void> => Promise.reject(new ODataError('Conflict', { message: 'Too late.' }))
    await startWith({ beginChangeSet: () => ({ commit, rollBack: () => undefined }) })
    const [response] = await responsesTo(server.port, [written('POST Raise?pct=1d')])
    expect([single(response).status, single(response).body]).toEqual([
      409,
      expect.stringContaining('Too late.'),
    ])
  })

  it('MUST get the original error, and the application MUST receive the error of the rollback', async () => {
    const failures = new Failures()
    const cause = new Error('connection lost')
    const rollBack = (): Promise<void> => Promise.reject(cause)
    await startWith({ beginChangeSet: () => ({ commit: () => undefined, rollBack }) }, failures)
    const responses = await responsesTo(
      server.port,
      [written('POST Raise?pct=0d'), written('POST Raise?pct=1d')],
      get('Total'),
      written('DELETE Categories(99)'),
    )
    expect(statusesOf(responses)).toEqual([409, 200, 404])
    expect(failures.causes).toEqual([cause, cause])
  })

  it('MUST be one error when it cannot begin', async () => {
    const failures = new Failures()
    const cause = new Error('no connection left')
    await startWith({ beginChangeSet: () => Promise.reject(cause) }, failures)
    const responses = await responsesTo(server.port, [written('POST Raise?pct=1d')], get('Total'))
    expect(statusesOf(responses)).toEqual([500, 200])
    expect(failures.causes).toEqual([cause])
  })

  it('MUST be reported to the application when a request within it fails', async () => {
    const failures = new Failures()
    await startWith({}, failures)
    const changes = [written('POST Categories', category(50)), written('POST Raise?pct=13d')]
    const responses = await responsesTo(server.port, changes, get('Categories(50)'))
    expect(statusesOf(responses)).toEqual([500, 404])
    expect(failures.causes).toEqual([new Error('disk /dev/sda1 is full')])
  })
})

describe('A provider without change sets', () => {
  beforeEach(() => startWith({ beginChangeSet: undefined } as unknown as Partial<Provider>))

  it('MUST refuse change sets of several requests with 501, and do nothing of them', async () => {
    const responses = await responsesTo(
      server.port,
      [written('DELETE Categories(3)'), written('DELETE Categories(4)')],
      get('Categories(3)'),
      [written('DELETE Categories(4)')],
      get('Categories(4)'),
    )
    expect(statusesOf(responses)).toEqual([501, 200, [204], 404])
    expect(single(responses[0]).body).toContain('only one change in a change set')
  })

  it('MUST report errors of the requests first', async () => {
    const responses = await responsesTo(
      server.port,
      [written('DELETE Nothing(3)'), written('DELETE Categories(4)')],
      [written('DELETE Total'), written('DELETE Categories(4)')],
    )
    expect(statusesOf(responses)).toEqual([404, 405])
  })
})
