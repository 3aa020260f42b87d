import express from 'express'
import type { EntitySetProvider, Provider, ProviderCall } from '../../lib/index.js'
import { callWith, memoryProvider, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'
import { photoData, photoModel } from '../support/services/photo-service.js'

describe('A call derived from another call', () => {
  const seen: ProviderCall[] = []

  /** Creates a provider that delegates to another provider with another context. */
  function handingOn(): Provider {
    const { entitySets, ...rest } = memoryProvider(photoModel, photoData()) as unknown as Provider
    const { Counters, ...others } = entitySets as unknown as Record<string, EntitySetProvider>
    const provider: EntitySetProvider = {
      read(query, call) {
        const other = callWith(call, { context: 'another caller', changeSet: undefined })
        seen.push(call, other)
        other.messages.add({ code: 'SEEN', message: 'It was seen.', severity: 'info' })
        return Counters?.read(query, other) ?? []
      },
    }
    return { ...rest, entitySets: { ...others, Counters: provider } }
  }

  it('MUST have the given members, and the others of the original', async () => {
    const service = odataV2(photoModel, handingOn() as never, { context: () => 'the caller' })
    const server = await TestServer.start(express().use('/s', service))
    const { status, headers } = await server.send('/s/Counters?a=b', {
      headers: { Accept: 'application/json' },
    })
    await server.stop()
    expect(status).toBe(200)
    expect(headers['sap-message']).toContain('SEEN')
    const [call, other] = seen
    expect([call?.context, other?.context]).toEqual(['the caller', 'another caller'])
    expect(other?.customOptions).toEqual([['a', 'b']])
    expect(other?.signal).toBe(call?.signal)
    expect(other?.signal).toBeInstanceOf(AbortSignal)
  })

  it('MUST accept another change set, signal or messages', () => {
    const { signal } = new AbortController()
    const changeSet = { commit: () => undefined, rollBack: () => undefined }
    const messages = { add: () => undefined }
    const call: ProviderCall = { context: 1, customOptions: [], changeSet, signal, messages }
    const other = new AbortController().signal
    const inner = { ...changeSet }
    expect(callWith(call, { signal: other }).signal).toBe(other)
    expect(callWith(call, { changeSet: inner }).changeSet).toBe(inner)
    expect(callWith(call, { changeSet: undefined }).changeSet).toBeUndefined()
    expect(callWith(call, { context: undefined })).toMatchObject({ context: undefined, changeSet, messages })
    const told = { add: () => undefined }
    expect(callWith(callWith(call, { messages: told }), {}).messages).toBe(told)
  })
})
