import express from 'express'
import type { ChangeSet, Provider, ProviderCall, Row, ServiceOptions } from '../../lib/index.js'
import { ODataError, odataV2 } from '../../lib/index.js'
import { get, responsesTo, statusesOf, written } from '../support/batch-exchange.js'
import { Failures } from '../support/failures.js'
import { TestServer } from '../support/http-exchange.js'
import { notesModel } from '../support/revised-notes.js'

interface Change {
  readonly text: string
  readonly make: (rows: Map<unknown, Row>) => unknown
  readonly resolve: (result: unknown) => void
}

/** A store that makes all changes of a change set in one step. */
class OneStepStore {
  readonly sent: (readonly string[])[] = []
  readonly ends: string[] = []
  private rows = new Map<unknown, Row>([[1, { ID: 1, Text: 'one', AuthorID: 7 }]])

  get provider(): Provider {
    const insert = (entity: Row, call: ProviderCall): Promise<Row> | Row =>
      this.change(`insert ${String(entity.ID)}`, call, (rows) => {
        if (rows.has(entity.ID)) throw new ODataError('Conflict', { message: 'Taken.' })
        rows.set(entity.ID, { ...entity, ID: entity.ID ?? 99 })
        return rows.get(entity.ID)
      })
    const update = ({ ID }: Row, values: Row, _condition: object, call: ProviderCall): Promise<Row> | Row =>
      this.change(`update ${String(ID)}`, call, (rows) => {
        const row = rows.get(ID)
        if (row === undefined) throw new ODataError('ResourceNotFound', { message: 'None.' })
        rows.set(ID, { ...row, ...values })
        return rows.get(ID)
      })
    const remove = ({ ID }: Row, _condition: object, call: ProviderCall): Promise<boolean> | boolean =>
      this.change(`delete ${String(ID)}`, call, (rows) => rows.delete(ID))
    const beginChangeSet = (): ChangeSet => this.begin()
    return {
      beginChangeSet,
      entitySets: {
        Notes: {
          read: () => [...this.rows.values()],
          readByKey: ({ ID }) => this.rows.get(ID),
          insert,
          update,
          delete: remove,
          storeDefaults: () => new Set(['ID']),
          autocommit: {
            replaces: { insert, update, delete: remove, beginChangeSet },
            insert: async (entity, respond, call) => {
              respond(await insert(entity, call))
              return true
            },
            update: (key, values, condition, call) => update(key, values, condition, call),
            delete: (key, condition, call) => remove(key, condition, call),
          },
        },
        Authors: { read: () => [{ ID: 7, Name: 'Ada' }], update: (key) => key, insert: (entity) => entity },
      },
    }
  }

  private change<T>(
    text: string,
    { changeSet }: ProviderCall,
    make: (rows: Map<unknown, Row>) => unknown,
  ): T {
    if (changeSet instanceof OneStep) {
      return new Promise((resolve) => {
        changeSet.changes.push({ text, make, resolve })
      }) as T
    }
    this.sent.push([text])
    return make(this.rows) as T
  }

  private begin(): ChangeSet {
    return new OneStep(
      (changes) => {
        this.sent.push(changes.map(({ text }) => text))
        const rows = new Map(this.rows)
        const results = changes.map(({ make }) => make(rows))
        this.rows = rows
        changes.forEach(({ resolve }, index) => {
          resolve(results[index])
        })
      },
      (end) => this.ends.push(end),
    )
  }
}

class OneStep implements ChangeSet {
  readonly changes: Change[] = []
  readonly queue

  constructor(
    make: (changes: readonly Change[]) => void,
    private readonly end: (how: string) => void,
  ) {
    const { changes } = this
    this.queue = {
      isFinal: true,
      get length() {
        return changes.length
      },
      send: async () => {
        await Promise.resolve()
        make(changes.splice(0))
      },
    }
  }

  commit(): void {
    this.end('commit')
  }

  rollBack(): void {
    this.end('rollBack')
  }
}

let store: OneStepStore
let failures: Failures
let server: TestServer
let options: ServiceOptions

beforeAll(async () => {
  const service = express().use('/n', (req, res, next) => {
    void odataV2(notesModel, store.provider, { onError: failures.onError, ...options } as never)(
      req,
      res,
      next,
    )
  })
  server = await TestServer.start(service)
})
afterAll(() => server.stop())
beforeEach(() => {
  store = new OneStepStore()
  failures = new Failures()
  options = {}
})
afterEach(() => {
  expect(failures.errors).toEqual([])
})

const note = (ID: number, more: object = {}): string => JSON.stringify({ ID, Text: `n${ID}`, ...more })

describe.each([
  ['without authorize', {}],
  ['with authorize', { authorize: () => undefined }],
  ['with subscribers of diagnostics', { serverTiming: true }],
])('A change set of a store that commits it as a whole, %s', (_title, given: ServiceOptions) => {
  beforeEach(() => {
    options = given
  })

  it('MUST be sent once, in its order, with a response for each request', async () => {
    const responses = await responsesTo(server.port, [
      written('POST Notes', note(2)),
      written('MERGE Notes(1)', '{"Text":"new"}'),
      written('DELETE Notes(1)'),
    ])
    expect(statusesOf(responses)).toEqual([[201, 204, 204]])
    expect(store.sent).toEqual([['insert 2', 'update 1', 'delete 1']])
    expect(store.ends).toEqual([])
  })

  it('MUST NOT send anything if a request is invalid', async () => {
    const responses = await responsesTo(server.port, [
      written('POST Notes', note(2)),
      written('MERGE Notes(1)', '{"Txt":"new"}'),
    ])
    expect(statusesOf(responses)).toEqual([400])
    expect([store.sent, store.ends]).toEqual([[], ['rollBack']])
  })

  it('MUST respond with the error of the store, and not repeat the changes', async () => {
    const [response] = await responsesTo(server.port, [
      written('POST Notes', note(2)),
      written('POST Notes', note(1)),
    ])
    expect(response).toMatchObject({ status: 409, body: expect.stringContaining('Taken.') as string })
    expect([store.sent.length, store.ends]).toEqual([1, ['rollBack']])
  })

  it('MUST refuse a request that needs two changes, before anything is sent', async () => {
    const responses = await responsesTo(server.port, [
      written('POST Notes', note(2)),
      written('POST Authors', '{"ID":8,"Name":"Bob","Notes":[{"ID":3,"Text":"x"}]}'),
    ])
    expect(statusesOf(responses)).toEqual([501])
    expect(store.sent).toEqual([])
  })

  it('MUST be readable by the rest of the batch', async () => {
    const changes = [written('POST Notes', note(2)), written('MERGE Notes(1)', '{"Text":"new"}')]
    const responses = await responsesTo(server.port, changes, get('Notes(2)/Text/$value'))
    expect(statusesOf(responses)).toEqual([[201, 204], 200])
  })
})

describe('A reference to an earlier change of a final queue', () => {
  const withId = (id: string): Record<string, string> => ({ 'Content-ID': id })

  it('MUST be the key that the client chose', async () => {
    const responses = await responsesTo(server.port, [
      written('POST Notes', note(5), withId('1')),
      written('MERGE $1', '{"Text":"new"}'),
    ])
    expect(statusesOf(responses)).toEqual([[201, 204]])
    expect(store.sent).toEqual([['insert 5', 'update 5']])
  })

  it('MUST be refused if the store generates the key, before anything is sent', async () => {
    const responses = await responsesTo(server.port, [
      written('POST Notes', '{"Text":"x"}', withId('1')),
      written('MERGE $1', '{"Text":"new"}'),
    ])
    expect(statusesOf(responses)).toEqual([501])
    expect(store.sent).toEqual([])
  })
})

describe('A single change of a store with final queues', () => {
  it('MUST NOT need a change set', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const created = await server.send('/n/Notes', { method: 'POST', headers, body: note(4) })
    const linked = await server.send('/n/Notes(4)/$links/Author', {
      method: 'PUT',
      headers,
      body: '{"uri":"Authors(7)"}',
    })
    expect([created.status, linked.status]).toEqual([201, 204])
    expect(store.sent).toEqual([['insert 4'], ['update 4']])
  })
})
