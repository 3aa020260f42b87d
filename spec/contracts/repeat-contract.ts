import express from 'express'
import type { HookCall, ODataV2Options, Provider } from '../../lib/index.js'
import { ODataError, odataV2 } from '../../lib/index.js'
import { batchBody, postBatch, responsesIn, written } from '../support/batch-exchange.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { repeatModel } from '../support/repeat-model.js'

type Model = typeof repeatModel
type Context = { readonly user: string }

/** A provider without orders. */
export interface RepeatableProvider {
  readonly provider: Provider<Model, Context>
  close(): Promise<void>
}

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }

/** Headers of a repeatable request. */
export function repeatable(id: string, age = 0): Record<string, string> {
  const firstSent = new Date(Date.now() - age * 1000)
  return { 'Repeatability-Request-ID': id, 'Repeatability-First-Sent': firstSent.toUTCString() }
}

/** States the rules for every provider with `requestRecords`. @param confirm changes data in the function `Confirm` */
export function describeRepeatableRequests(name: string, open: () => Promise<RepeatableProvider>): void {
  describe(`Repeatable requests of ${name}`, () => {
    let opened: RepeatableProvider
    let server: TestServer

    const start = async (options: ODataV2Options<Context, Model> = {}): Promise<void> => {
      opened = await open()
      const context = (req: express.Request): Context => ({ user: req.get('x-user') ?? 'ann' })
      const repeatableRequests = { caller: ({ user }: Context) => user }
      const service = odataV2(repeatModel, opened.provider, { context, repeatableRequests, ...options })
      server = await TestServer.start(express().use('/s', service))
    }
    afterEach(async () => {
      await server.stop()
      await opened.close()
    })

    const send = (
      method: string,
      path: string,
      values: object | undefined,
      headers: object,
    ): Promise<HttpResponse> =>
      server.send(`/s/${path}`, {
        method,
        headers: { ...json, ...headers },
        ...(values && { body: JSON.stringify(values) }),
      })
    const texts = async (): Promise<unknown[]> => {
      const { text } = await server.send('/s/Orders?$orderby=ID', { headers: json })
      return (JSON.parse(text) as { d: { results: { Text: unknown }[] } }).d.results.map((one) => one.Text)
    }
    const sendBatch = async (headers: readonly object[], changes = headers.length) => {
      const requests = headers.map((own, index) =>
        written('POST Orders', JSON.stringify({ Text: `t${String(index)}` }), { ...json, ...own }),
      )
      const body = batchBody(requests.slice(0, changes), ...requests.slice(changes))
      return responsesIn(await postBatch(server.port, body, {}, '/s/$batch')).flat()
    }
    const shown = ({ status, headers, text }: HttpResponse): unknown => {
      const { date, connection, ...others } = headers
      return { status, others, text, hasDate: date !== undefined, connection }
    }

    it('MUST execute a change once, and repeat its response', async () => {
      await start()
      const headers = repeatable('7b3f')
      const first = await send('POST', 'Orders', { Text: 'one' }, headers)
      expect([first.status, first.headers['repeatability-result']]).toEqual([201, 'accepted'])
      expect(first.headers.location).toContain('/s/Orders(')
      const second = await send('POST', 'Orders', { Text: 'one' }, headers)
      expect(shown(second)).toEqual(shown(first))
      await send('POST', 'Orders', { Text: 'two' }, repeatable('other'))
      expect(await texts()).toEqual(['one', 'two'])
    })

    it('MUST execute a change once if its repetitions arrive at the same time', async () => {
      let hooks = 0
      const beforeInsert = (): void => void hooks++
      await start({ hooks: { Orders: { beforeInsert } } })
      const headers = repeatable('at once')
      const sending = Array.from({ length: 8 }, () => send('POST', 'Orders', { Text: 'one' }, headers))
      const responses = await Promise.all(sending)
      expect(new Set(responses.map(({ status, text }) => `${String(status)} ${text}`)).size).toBe(1)
      expect(responses[0]?.status).toBe(201)
      expect([await texts(), hooks]).toEqual([['one'], 1])
    })

    it('MUST repeat updates, deletes and function calls', async () => {
      await start()
      const { headers } = await send('POST', 'Orders', { Text: 'one' }, repeatable('1'))
      const path = String(headers.location).replace(/.*\/s\//, '')
      const requests = [
        ['MERGE', path, { Text: 'two' }, 204],
        ['POST', 'Confirm?ID=7', undefined, 200],
        ['DELETE', path, undefined, 204],
      ] as const
      for (const [index, [method, target, values, status]] of requests.entries()) {
        const own = repeatable(`change ${String(index)}`)
        const first = await send(method, target, values, own)
        expect([target, first.status, first.headers['repeatability-result']]).toEqual([
          target,
          status,
          'accepted',
        ])
        expect(shown(await send(method, target, values, own))).toEqual(shown(first))
      }
      expect(await texts()).toEqual([])
    })

    it('MUST leave no record of a change that fails, so that it can be retried', async () => {
      let fails = true
      const afterInsert = (): void => {
        if (fails) throw new ODataError('Conflict')
      }
      await start({ hooks: { Orders: { afterInsert } } })
      const headers = repeatable('retried')
      const failed = await send('POST', 'Orders', { Text: 'one' }, headers)
      expect([failed.status, await texts()]).toEqual([409, []])
      fails = false
      expect((await send('POST', 'Orders', { Text: 'other' }, headers)).status).toBe(201)
      expect(await texts()).toEqual(['other'])
    })

    it('MUST respond with 400 to another request with the same id, and not execute it', async () => {
      await start()
      const headers = repeatable('same')
      await send('POST', 'Orders', { Text: 'one' }, headers)
      const other = await send('POST', 'Orders', { Text: 'two' }, headers)
      expect([other.status, other.headers['repeatability-result']]).toEqual([400, 'rejected'])
      expect(other.text).toContain('Another request with this id')
      expect((await send('DELETE', 'Orders(1)', undefined, headers)).status).toBe(400)
      expect(await texts()).toEqual(['one'])
    })

    it('MUST not give the response of another caller', async () => {
      await start()
      const headers = repeatable('7b3f')
      await send('POST', 'Orders', { Text: 'secret' }, headers)
      const other = await send('POST', 'Orders', { Text: 'own' }, { ...headers, 'x-user': 'bob' })
      expect([other.status, other.text.includes('secret')]).toEqual([201, false])
      expect(await texts()).toEqual(['secret', 'own'])
    })

    it('MUST repeat the responses of change sets, and execute none of their requests again', async () => {
      await start()
      const headers = [repeatable('a'), repeatable('b'), {}]
      const first = await sendBatch(headers)
      expect(first.map(({ status, headers: own }) => [status, own['repeatability-result']])).toEqual([
        [201, 'accepted'],
        [201, 'accepted'],
        [201, undefined],
      ])
      expect(await sendBatch(headers)).toEqual(first)
      expect(await texts()).toEqual(['t0', 't1', 't2'])
      // Another change set with one of the ids.
      const [failed] = await sendBatch([repeatable('c'), repeatable('b')])
      expect([failed?.status, failed?.headers['repeatability-result']]).toEqual([400, 'rejected'])
      expect(await texts()).toEqual(['t0', 't1', 't2'])
      expect((await sendBatch([repeatable('c')], 0)).map(({ status }) => status)).toEqual([201])
    })

    it('MUST leave no record of a change set that fails', async () => {
      let fails = true
      const beforeInsert = ({ Text }: { readonly Text?: unknown }): void => {
        if (fails && Text === 't1') throw new ODataError('Forbidden')
      }
      await start({ hooks: { Orders: { beforeInsert } } })
      const headers = [repeatable('a'), repeatable('b')]
      expect((await sendBatch(headers)).map(({ status }) => status)).toEqual([403])
      expect(await texts()).toEqual([])
      fails = false
      expect((await sendBatch(headers)).map(({ status }) => status)).toEqual([201, 201])
    })

    it('MUST respond with 412 to requests that are older than the stored responses', async () => {
      await start()
      const old = await send('POST', 'Orders', { Text: 'old' }, repeatable('old', 90_000))
      expect([old.status, old.headers['repeatability-result']]).toEqual([412, 'rejected'])
      const future = await send('POST', 'Orders', { Text: 'new' }, repeatable('new', -90_000))
      expect(future.status).toBe(412)
      expect(await texts()).toEqual([])
      // The clock of this client is three hours ahead.
      expect((await send('POST', 'Orders', { Text: 'ahead' }, repeatable('x', -10_000))).status).toBe(201)
    })

    it('MUST accept ids of any characters', async () => {
      await start()
      for (const id of ["'); drop table Orders --", '\u00ff\u00e4', '%00', 'A', 'a', 'a '.repeat(127)]) {
        const headers = { ...repeatable('x'), 'Repeatability-Request-ID': id }
        const [first, second] = [
          await send('POST', 'Orders', { Text: id }, headers),
          await send('POST', 'Orders', { Text: id }, headers),
        ]
        expect([id, first.status, second.text === first.text]).toEqual([id, 201, true])
      }
      expect(await texts()).toHaveLength(6)
    })

    it('MUST repeat responses with characters outside of ASCII, and long ones', async () => {
      await start()
      for (const text of ['\u20ac \ud83d\ude00 \\ " \'', 'x'.repeat(70_000)]) {
        const headers = repeatable(text.slice(0, 2) + String(text.length).slice(0, 0).padEnd(3, 'i'))
        const own = { ...headers, 'Repeatability-Request-ID': String(text.length) }
        const first = await send('POST', 'Orders', { Text: text }, own)
        expect([first.status, first.text.length > text.length]).toEqual([201, true])
        const second = await send('POST', 'Orders', { Text: text }, own)
        expect([second.status, second.text]).toEqual([201, first.text])
      }
      expect(await texts()).toHaveLength(2)
    })

    it('MUST repeat long results of functions, which cannot be read again', async () => {
      await start()
      const headers = repeatable('long')
      const first = await send('POST', 'Confirm?ID=100000', undefined, headers)
      expect([first.status, first.text.length > 100_000]).toEqual([200, true])
      expect(shown(await send('POST', 'Confirm?ID=100000', undefined, headers))).toEqual(shown(first))
    })

    it('MUST read long entities again with their ETag and the same context', async () => {
      let contexts = 0
      await start({ context: () => ({ user: String(++contexts) }), repeatableRequests: { caller: () => '' } })
      const headers = repeatable('long')
      const values = { Text: 'x'.repeat(70_000), Version: 1 }
      const first = await send('POST', 'Receipts', values, headers)
      expect([first.status, first.headers.etag, contexts]).toEqual([201, 'W/"1"', 1])
      const path = String(first.headers.location).replace(/.*\/s\//, '')
      await send('MERGE', path, { Version: 2 }, { 'If-Match': '*' })
      const second = await send('POST', 'Receipts', values, headers)
      expect([second.status, second.headers.etag, contexts]).toEqual([201, 'W/"2"', 3])
      expect(second.text).toContain(String.raw`"etag":"W/\"2\""`)
    })

    it('MUST not repeat values to callers whose rights have changed', async () => {
      let hidden: readonly 'Owner'[] = []
      const afterInsert = ({ Owner }: { readonly Owner?: unknown }, { messages }: HookCall): void =>
        messages.add({ code: 'NW/1', message: `For ${String(Owner)}`, severity: 'info' })
      await start({ authorize: () => ({ hidden }), hooks: { Receipts: { afterInsert } } })
      const headers = repeatable('rights')
      const first = await send('POST', 'Receipts', { Owner: 'bob', Version: 7 }, headers)
      expect([first.status, first.headers['sap-message']]).toEqual([201, expect.stringContaining('For bob')])
      hidden = ['Owner']
      const second = await send('POST', 'Receipts', { Owner: 'bob', Version: 7 }, headers)
      expect([second.status, second.text, second.headers.location]).toEqual([204, '', first.headers.location])
      expect([second.headers['sap-message'], second.headers.etag]).toEqual([undefined, undefined])
    })
  })
}
