import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { ChangeSet } from '../../../lib/provider/change-set.js'
import type { EntitySetProvider, Provider } from '../../../lib/provider/provider.js'
import type { ProviderCall } from '../../../lib/provider/provider-call.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'

const model = defineModel({
  namespace: 'Test',
  entityTypes: {
    Note: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: edm.Int32({ nullable: false }), Text: edm.String() },
    },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

const outside = callWith()

type Notes = EntitySetProvider<Row, Row>

/** Returns true if a promise is settled after all pending microtasks. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = (): void => {
    settled = true
  }
  promise.then(settle, settle)
  await new Promise((resolve) => setImmediate(resolve))
  return settled
}

describe('A change set of the memory provider', () => {
  let provider: Provider<EdmModel>
  let notes: Notes
  const begin = async (call = outside): Promise<{ changeSet: ChangeSet; inside: ProviderCall }> => {
    const changeSet = (await provider.beginChangeSet?.(call)) as ChangeSet
    return { changeSet, inside: { ...outside, changeSet } }
  }
  const textOf = async (key: number, call = outside): Promise<unknown> => {
    const row = await notes.readByKey?.({ ID: key }, {}, call)
    return row?.Text
  }
  const write = async (Text: string, call: ProviderCall): Promise<unknown> =>
    notes.update?.({ ID: 1 }, { Text }, {}, call)

  beforeEach(() => {
    provider = memoryProvider(model as EdmModel, { Notes: [{ ID: 1, Text: 'old' }] })
    notes = (provider.entitySets as Record<string, Notes>).Notes as Notes
  })

  it('MUST NOT delay reads, which are synchronous while none is open', async () => {
    expect(notes.readByKey?.({ ID: 1 }, {}, outside)).toMatchObject({ Text: 'old' })
    const { changeSet } = await begin()
    await changeSet.commit()
    expect(notes.read({ entitySet: 'Notes' }, outside)).toMatchObject([{ Text: 'old' }])
    expect(notes.count?.({ entitySet: 'Notes' }, outside)).toBe(1)
  })

  it.each(['commit', 'rollBack'] as const)('MUST hide its changes from other calls until %s', async (end) => {
    const { changeSet, inside } = await begin()
    await write('new', inside)
    await notes.insert?.({ ID: 2, Text: 'second' }, inside)
    await notes.media?.write?.(
      { ID: 1 },
      { contentType: 'text/plain', bytes: [Buffer.from('bytes')] as unknown as AsyncIterable<Uint8Array> },
      inside,
    )
    const reads = {
      key: textOf(1),
      rows: Promise.resolve(notes.read({ entitySet: 'Notes' }, outside)),
      count: Promise.resolve(notes.count?.({ entitySet: 'Notes' }, outside)),
      media: Promise.resolve(notes.media?.open({ ID: 1 }, outside)),
    }
    for (const read of Object.values(reads)) expect(await isSettled(read)).toBe(false)
    await changeSet[end]()
    const isCommitted = end === 'commit'
    expect(await reads.key).toBe(isCommitted ? 'new' : 'old')
    expect(await reads.rows).toHaveLength(isCommitted ? 2 : 1)
    expect(await reads.count).toBe(isCommitted ? 2 : 1)
    expect((await reads.media)?.contentType).toBe(isCommitted ? 'text/plain' : 'application/octet-stream')
  })

  it('MUST be read synchronously by its own calls', async () => {
    const { changeSet, inside } = await begin()
    await write('new', inside)
    expect(notes.readByKey?.({ ID: 1 }, {}, inside)).toMatchObject({ Text: 'new' })
    expect(notes.read({ entitySet: 'Notes' }, inside)).toMatchObject([{ Text: 'new' }])
    await changeSet.rollBack()
    // After its change set has ended, a call waits like any other call.
    const other = await begin()
    await write('other', other.inside)
    expect(await isSettled(textOf(1, inside))).toBe(false)
    await other.changeSet.rollBack()
  })

  it('MUST execute waiting reads and changes in the order of their calls', async () => {
    const { changeSet } = await begin()
    const seen: unknown[] = []
    const read = async (): Promise<void> => {
      seen.push(await textOf(1))
    }
    const change = async (text: string): Promise<void> => {
      const next = await begin()
      await write(`${text} dirty`, next.inside)
      await write(text, next.inside)
      await next.changeSet.commit()
    }
    const all = [read(), change('a'), read(), read(), change('b'), read(), write('c', outside), read()]
    await changeSet.commit()
    await Promise.all(all)
    expect(seen).toEqual(['old', 'a', 'a', 'b', 'c'])
  })

  it('MUST NOT starve reads when change sets follow each other without a pause', async () => {
    let current = await begin()
    const read = textOf(1)
    for (let index = 0; index < 3; index++) {
      const next = begin()
      await write(String(index), current.inside)
      await current.changeSet.commit()
      current = await next
    }
    expect(await read).toBe('0')
    await current.changeSet.commit()
  })

  it('MUST reject only the waiting calls of an aborted request', async () => {
    const { changeSet } = await begin()
    const client = new AbortController()
    const call = { ...outside, signal: client.signal }
    const left = [textOf(1, call), write('lost', call), begin(call)]
    const stays = textOf(1)
    const gone = Promise.allSettled(left)
    client.abort(new Error('gone away'))
    for (const one of await gone) {
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'gone away' } })
    }
    await expect(textOf(1, call)).rejects.toThrow('gone away')
    await changeSet.commit()
    expect(await stays).toBe('old')
    // The change set of the aborted call was not begun: it does not block other calls.
    expect(notes.readByKey?.({ ID: 1 }, {}, outside)).toMatchObject({ Text: 'old' })
  })

  it('MUST reject with the error of a call that has waited', async () => {
    const { changeSet } = await begin()
    const wrong = notes.update?.({ ID: 1 }, { Nope: 1 }, {}, outside)
    const after = textOf(1)
    await changeSet.commit()
    await expect(wrong).rejects.toThrow('Nope')
    expect(await after).toBe('old')
  })
})
