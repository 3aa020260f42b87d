import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { ServiceOptions } from '../../../lib/options.js'
import type { EntitySetProvider, Provider } from '../../../lib/provider/provider.js'
import type { RenderedBatch, RenderedBatches, RenderedEntities } from '../../../lib/provider/rendering.js'
import type { MemoryData } from '../../../lib/providers/memory/memory-data.js'
import type { MemoryProviderOptions } from '../../../lib/providers/memory/memory-provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'
import { photoData, photoModel } from '../../support/services/photo-service.js'
import { AnsweringService } from './service-answers.js'

const model = photoModel as EdmModel
const json = { accept: 'application/json', 'content-type': 'application/json' }
const atom = { accept: 'application/atom+xml', 'content-type': 'application/json' }
const counters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ID: index + 1, Value: index * 7, Version: 1 }))

type Sets = Readonly<Record<string, EntitySetProvider>>

function providerOf(data: MemoryData, options?: MemoryProviderOptions): Provider {
  return memoryProvider(model, data, options)
}

/** Changes some sets of a provider. */
function changed(provider: Provider, sets: Readonly<Record<string, Partial<EntitySetProvider>>>): Provider {
  const own = provider.entitySets as Sets
  const entitySets = Object.entries(own).map(([name, set]) => [name, { ...set, ...sets[name] }])
  return { ...provider, entitySets: Object.fromEntries(entitySets) }
}

/** A service that tells how each page was written. */
function watched(provider: Provider, options: ServiceOptions = {}) {
  const seen: (RenderedEntities | undefined)[] = []
  const batches: RenderedBatch[] = []
  const asked: Parameters<NonNullable<EntitySetProvider['render']>>[] = []
  const watch = (name: string): Partial<EntitySetProvider> => {
    const own = (provider.entitySets as Sets)[name]
    return {
      render(query, rendering, call) {
        asked.push([query, rendering, call])
        return Promise.resolve(own?.render?.call(this, query, rendering, call)).then((found) => {
          seen.push(found)
          return found === undefined ? undefined : recorded(found as RenderedBatches, batches)
        })
      },
    }
  }
  const service = new AnsweringService(
    model,
    changed(provider, { Photos: watch('Photos'), Counters: watch('Counters') }),
    options,
  )
  return { service, asked, seen, batches }
}

function recorded(entities: RenderedBatches, batches: RenderedBatch[]): RenderedBatches {
  return {
    async next() {
      const batch = await entities.next()
      if (batch !== undefined) batches.push(batch)
      return batch
    },
    close: () => entities.close(),
  }
}

const isWritten = (batch: RenderedBatch): boolean => 'pieces' in batch

describe('The memory provider', () => {
  it('MUST keep what is asked for again, and not what is asked for once', async () => {
    const { service, seen, batches } = watched(providerOf({ Counters: counters(5) }))
    const target = '/Counters'
    const first = await service.ask({ target, headers: json })
    expect(seen).toEqual([undefined])
    for (let time = 0; time < 3; time++) expect(await service.ask({ target, headers: json })).toEqual(first)
    expect(batches.map((batch) => isWritten(batch) && batch)).toMatchObject([
      { count: 5 },
      { count: 5 },
      { count: 5 },
    ])
    const [, second, third] = batches.map((batch) => ('pieces' in batch ? batch.pieces[0] : undefined))
    // The same memory, not a copy.
    expect(third?.buffer).toBe(second?.buffer)
    expect(third?.byteOffset).toBe(second?.byteOffset)
  })

  it('MUST share what is kept among requests that differ in filter, order and page only', async () => {
    const { service, seen, batches } = watched(providerOf({ Counters: counters(9) }))
    const options = ['$top=9', '$skip=2', '$filter=ID gt 5', '$orderby=Value desc&$top=2', '$skiptoken=4']
    for (const one of options) {
      const target = `/Counters?$select=ID,Value&${encodeURI(one)}`
      expect((await service.ask({ target, headers: json })).status).toBe(200)
    }
    expect(seen.map((one) => one !== undefined)).toEqual([false, true, true, true, true])
    const memory = batches
      .flatMap((batch) => ('pieces' in batch ? batch.pieces : []))
      .map(({ buffer }) => buffer)
    expect(memory[3]).toBe(memory[0])
  })

  it('MUST keep nothing when it is told so', async () => {
    const { service, seen } = watched(providerOf({ Counters: counters(5) }, { renderedBytes: 0 }))
    for (let time = 0; time < 3; time++) await service.ask({ target: '/Counters', headers: json })
    expect(seen).toEqual([undefined, undefined, undefined])
  })

  it.each([-1, 1.5, Number.NaN, '1 MB'])('MUST refuse renderedBytes: %s', (renderedBytes) => {
    const options = { renderedBytes: renderedBytes as number }
    expect(() => providerOf({}, options)).toThrow(/^memoryProvider: renderedBytes: .* is no number of bytes/)
  })

  it('MUST write large collections in parts', async () => {
    const data = { Counters: counters(2_500) }
    const options = { pageSize: 0 }
    const { service, batches } = watched(providerOf(data), options)
    const plain = new AnsweringService(model, providerOf(data, { renderedBytes: 0 }), options)
    for (const target of ['/Counters', '/Counters?$expand=Photos', '/Counters?$select=ID']) {
      const expected = await plain.ask({ target, headers: atom })
      for (let time = 0; time < 3; time++) {
        const { text } = await service.ask({ target, headers: atom })
        expect(timeless(text)).toBe(timeless(expected.text))
      }
    }
    expect(batches.filter(isWritten).length).toBeGreaterThan(10)
    for (const batch of batches) {
      expect('pieces' in batch ? batch.count : batch.rows.length).toBeLessThanOrEqual(1_000)
    }
  })

  it('MUST leave to the service what is too large to be kept', async () => {
    const notes = defineModel({
      namespace: 'N',
      entityTypes: {
        Note: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() } },
      },
      entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
    })
    const texts = ['a', 'x'.repeat(200_000), 'b', 'c', 'y'.repeat(300_000), 'z'.repeat(60_000)]
    const Notes = texts.map((Text, index) => ({ ID: index + 1, Text }))
    const services = [undefined, 100_000, 0].map(
      (renderedBytes) => new AnsweringService(notes, memoryProvider(notes, { Notes }, { renderedBytes })),
    )
    for (const target of ['/Notes', '/Notes?$orderby=ID%20desc', '/Notes?$top=2']) {
      for (let time = 0; time < 3; time++) {
        const [one, ...others] = await Promise.all(
          services.map((service) => service.ask({ target, headers: json })),
        )
        for (const other of others) expect(other).toEqual(one)
      }
    }
  })

  it('MUST answer as before for any number of service addresses', async () => {
    const options = { renderedBytes: 200_000 }
    const service = new AnsweringService(model, providerOf({ Counters: counters(100) }, options))
    const plain = new AnsweringService(model, providerOf({ Counters: counters(100) }, { renderedBytes: 0 }))
    for (let index = 0; index < 60; index++) {
      const root = `http://host${index % 23}/${'x'.repeat(index % 7)}/`
      const asked = { target: '/Counters?$orderby=Value%20desc', headers: json, root }
      const expected = await plain.ask(asked)
      for (let time = 0; time < 3; time++) expect(await service.ask(asked)).toEqual(expected)
    }
  })

  it('MUST show media resources as they are now', async () => {
    const services = [33_554_432, 0].map(
      (renderedBytes) => new AnsweringService(model, providerOf(photoData(), { renderedBytes })),
    )
    const ask = async (asked: Parameters<AnsweringService['ask']>[0]) => {
      const [kept, plain] = await Promise.all(services.map((service) => service.ask(asked)))
      expect(timeless(kept?.text ?? '')).toBe(timeless(plain?.text ?? ''))
      return kept?.text
    }
    const link = { uri: 'http://localhost/shop/Photos(1)' }
    await ask({
      method: 'POST',
      target: '/Counters(1)/$links/Photos',
      headers: json,
      body: JSON.stringify(link),
    })
    for (const target of ['/Photos', '/Counters?$expand=Photos']) {
      const seen = new Set<string | undefined>()
      for (const body of ['one', 'two', 'three']) {
        const headers = { 'content-type': 'image/png' }
        await ask({ method: 'PUT', target: '/Photos(1)/$value', headers, body: `${target} ${body}` })
        for (const format of [json, json, json, atom, atom, atom]) {
          const text = await ask({ target, headers: format })
          if (format === json) seen.add(text)
        }
      }
      expect(seen.size).toBe(3)
    }
  })

  it('MUST leave a set to whoever reads it in another way', async () => {
    const memory = providerOf({ Counters: counters(2), Photos: photoData().Photos })
    const provider = changed(memory, { Counters: { read: () => [{ ID: 9, Value: 9, Version: 9 }] } })
    const { service, seen } = watched(provider)
    for (let time = 0; time < 4; time++) {
      const { text } = await service.ask({ target: '/Counters', headers: json })
      expect(JSON.parse(text)).toMatchObject({ d: { results: [{ ID: 9 }] } })
    }
    expect(seen).toEqual([undefined, undefined, undefined, undefined])
  })

  it('MUST leave expansions to whoever reads their target in another way', async () => {
    const memory = providerOf({ Counters: counters(2) })
    const readRelated: EntitySetProvider['readRelated'] = ({ sources }) =>
      sources.rows.map(() => [{ ID: 5, Title: 'other' }])
    const { service } = watched(changed(memory, { Photos: { readRelated } }))
    for (let time = 0; time < 4; time++) {
      const { text } = await service.ask({ target: '/Counters?$expand=Photos', headers: json })
      expect(JSON.parse(text)).toMatchObject({
        d: { results: [{ Photos: { results: [{ Title: 'other' }] } }, {}] },
      })
    }
  })

  it.each(['commit', 'rollBack'] as const)('MUST keep nothing of a change set before %s', async (end) => {
    const memory = providerOf({ Counters: counters(2) })
    const { service, batches } = watched(memory)
    const read = async () => (await service.ask({ target: '/Counters', headers: json })).text
    const call = callWith()
    const before = await read()
    expect([await read(), await read()]).toEqual([before, before])
    const changeSet = await memory.beginChangeSet?.(call)
    const set = (memory.entitySets as Sets).Counters
    await set?.update?.({ ID: 1 }, { Value: 4711 }, {}, { ...call, changeSet })
    const waiting = [read(), read(), read()]
    await new Promise((resolve) => setImmediate(resolve))
    const written = batches.length
    await changeSet?.[end]()
    const after = await Promise.all(waiting)
    expect(batches.length).toBeGreaterThan(written)
    for (const text of after) expect(text.includes('4711')).toBe(end === 'commit')
    if (end === 'rollBack') expect(after).toEqual([before, before, before])
    expect(await read()).toBe(after[0])
  })

  it('MUST not write in a change set, whose changes may be taken back', async () => {
    const memory = providerOf({ Counters: counters(2) })
    const { service, asked } = watched(memory)
    for (let time = 0; time < 3; time++) await service.ask({ target: '/Counters', headers: json })
    const set = (memory.entitySets as Sets).Counters
    const [query, rendering, call] = asked.at(-1) ?? []
    if (query === undefined || rendering === undefined || call === undefined)
      throw new Error('Nothing was asked.')
    expect(await set?.render?.(query, rendering, call)).toBeDefined()
    const changeSet = await memory.beginChangeSet?.(call)
    expect(await set?.render?.(query, rendering, { ...call, changeSet })).toBeUndefined()
    await changeSet?.rollBack()
  })
})

/** Times of the answer may differ by a second. */
function timeless(text: string): string {
  return text.replace(/<updated>[^<]*<\/updated>/g, '')
}
