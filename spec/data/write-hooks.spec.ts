import type { EdmModel, EntityHooks, Message, Provider, Row } from '../../lib/index.js'
import { defineModel, edm, odataV2, ODataError } from '../../lib/index.js'
import type { ODataV2Options } from '../../lib/index.js'
import { messageHeader } from '../../lib/http/message-header.js'
import { checkedHooks } from '../../lib/data/check-hooks.js'
import { HookedWriter } from '../../lib/data/hooked-writer.js'
import { ProviderCalls } from '../../lib/data/provider-calls.js'
import { callWith } from '../support/provider-call.js'

const ID = edm.Int32({ nullable: false })
const model: EdmModel = defineModel({
  namespace: 'H',
  entityTypes: { Thing: { key: ['ID'], properties: { ID, Name: edm.String() } } },
  entityContainers: {
    Main: { default: true, entitySets: { Things: { entityType: 'Thing' } } },
    Archive: { entitySets: { Things: { entityType: 'Thing' } } },
  },
} as const)

function setAt(path: string) {
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  const set = sets.find((one) => one.path === path)
  if (set === undefined) throw new Error(path)
  return set
}

/** A provider that changes its rows in place, as the simplest ones do. */
function inPlace(rows: Record<string, unknown>[]): Provider {
  const find = (key: Row): Record<string, unknown> | undefined => rows.find((row) => row.ID === key.ID)
  const set = {
    read: () => rows,
    insert: (entity: Row) => {
      rows.push({ ...entity })
      return rows.at(-1) ?? {}
    },
    update: (key: Row, values: Row) => Object.assign(find(key) ?? {}, values),
    delete: (key: Row) => {
      const row = find(key)
      if (row !== undefined) row.Name = 'gone'
      return rows.splice(rows.indexOf(row ?? {}), 1).length === 1
    },
  }
  return { entitySets: { Things: set, 'Archive.Things': set } }
}

function writesOver(provider: Provider, hooks: Record<string, EntityHooks> | undefined): HookedWriter {
  return new HookedWriter(new ProviderCalls(provider, callWith()), checkedHooks(hooks, model))
}

describe('Hooks that are wrong', () => {
  const starting = (hooks: unknown) => () =>
    odataV2(model, inPlace([]), { hooks } as ODataV2Options<unknown, EdmModel>)

  it.each([
    [
      { Thing: {} },
      "odataV2: 'hooks.Thing' is not an entity set. Did you mean 'Things'? Known names: Things",
    ],
    [{ 'Archiv.Things': {} }, "Did you mean 'Archive.Things'?"],
    [
      { Things: { beforInsert() {} } },
      "'hooks.Things.beforInsert' is not a hook. Did you mean 'beforeInsert'?",
    ],
    [{ Things: { afterRead() {} } }, 'Known names: beforeInsert, afterInsert, beforeUpdate'],
    [{ Things: { beforeInsert: {} } }, 'odataV2: hooks.Things.beforeInsert must be a function.'],
    [
      {
        Things: new (class {
          beforeinsert() {}
        })(),
      },
      "Did you mean 'beforeInsert'?",
    ],
    [{ Things: null }, 'hooks.Things must be an object such as { beforeInsert() {} }.'],
    [{ Things: () => undefined }, 'hooks.Things must be an object'],
    [[], 'hooks must be an object'],
    [null, 'hooks must be an object'],
  ])('MUST be reported at start-up, with a suggestion: %j', (hooks, message) => {
    expect(starting(hooks)).toThrow(TypeError)
    expect(starting(hooks)).toThrow(message)
  })

  it.each([
    [undefined],
    [{}],
    [{ Things: {} }],
    [{ Things: undefined }],
    [{ Things: { afterInsert: undefined } }],
  ])('MUST NOT be found in invalid values: %j', (hooks) => {
    expect(starting(hooks)).not.toThrow()
  })
})

describe('Changes of a set', () => {
  it('MUST be the calls of the provider themselves where there are no hooks', async () => {
    const provider = inPlace([{ ID: 1, Name: 'a' }])
    const result = Promise.resolve<Row>({ ID: 1 })
    const calls = new ProviderCalls(provider, {} as never)
    calls.update = () => result
    calls.insert = () => result
    for (const hooks of [undefined, { 'Archive.Things': { afterUpdate: () => undefined } }]) {
      const writes = new HookedWriter(calls, checkedHooks(hooks, model))
      expect(writes.update(setAt('Things'), { ID: 1 }, { values: {} })).toBe(result)
      expect(writes.insert(setAt('Things'), { ID: 1 })).toBe(result)
    }
    await result
  })

  it('MUST call the hooks of their own set when two containers have one of that name', async () => {
    const seen: string[] = []
    const note = (_row: Row, { entitySet }: { entitySet: string }): void => void seen.push(entitySet)
    const hooks = { Things: { afterInsert: note }, 'Archive.Things': { afterInsert: note } }
    const writes = writesOver(inPlace([]), hooks)
    await writes.insert(setAt('Archive.Things'), { ID: 1 })
    await writes.insert(setAt('Things'), { ID: 2 })
    expect(seen).toEqual(['Archive.Things', 'Things'])
  })

  it('MUST receive the previous values, even if the provider changes rows in place', async () => {
    const seen: unknown[] = []
    const rows = [{ ID: 1, Name: 'a' }]
    const [row = {}] = rows
    const writes = writesOver(inPlace(rows), {
      Things: {
        afterUpdate: (entity, previous) => seen.push(entity, previous),
        afterDelete: (previous) => seen.push(previous),
      },
    })
    await writes.update(setAt('Things'), row, { values: { Name: 'b' } })
    await writes.delete(setAt('Things'), row, undefined)
    expect(seen).toEqual([
      { ID: 1, Name: 'b' },
      { ID: 1, Name: 'a' },
      { ID: 1, Name: 'b' },
    ])
  })

  it('MUST receive values that rows compute by getters', async () => {
    class Thing {
      constructor(readonly ID: number) {}
      get Name(): string {
        return `thing ${this.ID}`
      }
    }
    const seen: unknown[] = []
    const row = new Thing(1) as unknown as Row
    const provider = inPlace([row])
    const writes = writesOver(provider, { Things: { beforeDelete: (current) => seen.push(current) } })
    await writes.delete(setAt('Things'), row, undefined).catch(() => undefined)
    expect(seen).toEqual([{ ID: 1, Name: 'thing 1' }])
  })

  it('MUST call hooks as methods of their object', async () => {
    class Audit {
      readonly seen: unknown[] = []
      afterInsert = (row: Row): void => void this.seen.push(row)
      beforeInsert(this: Audit): void {
        this.seen.push('before')
      }
    }
    const audit = new Audit()
    const writes = writesOver(inPlace([]), { Things: audit })
    await writes.beforeInsert(setAt('Things'), { ID: 1 })
    await writes.insert(setAt('Things'), { ID: 1 })
    expect(audit.seen).toEqual(['before', { ID: 1 }])
  })

  it('MUST not happen when the before hook denies them, and not call the after hook when they fail', async () => {
    const after: unknown[] = []
    const rows = [{ ID: 1, Name: 'a' }]
    const [row = {}] = rows
    const writes = writesOver(inPlace(rows), {
      Things: {
        beforeUpdate: () => Promise.reject(new ODataError('Forbidden')),
        afterUpdate: (entity) => after.push(entity),
        afterDelete: (previous) => after.push(previous),
      },
    })
    await expect(writes.update(setAt('Things'), row, { values: { Name: 'b' } })).rejects.toThrow(ODataError)
    await expect(writes.delete(setAt('Things'), { ID: 5 }, undefined)).resolves.toBeUndefined()
    expect(rows).toEqual([])
    expect(after).toEqual([{ ID: 5 }])
  })
})

describe('The header of messages', () => {
  const message: Message = { code: 'é\u007f\n', message: '\u{1f4b6}"', severity: 'info' }

  it('MUST be ASCII text that is the same messages when it is read', () => {
    const text = messageHeader([message, message], 1000) ?? ''
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(text)).toEqual({ ...message, details: [message] })
  })

  it('MUST be within its limit, whatever that is, or not be at all', () => {
    const messages = [{ ...message, message: 'a\u{1f4b6}'.repeat(20) }, message, message]
    const lengths: number[] = []
    for (let most = 0; most < 600; most++) {
      const text = messageHeader(messages, most)
      if (text === undefined) continue
      lengths.push(text.length)
      expect(text.length).toBeLessThanOrEqual(most)
      expect((JSON.parse(text) as Message).message.isWellFormed()).toBe(true)
    }
    expect(new Set(lengths).size).toBeGreaterThan(5)
    expect(messageHeader(messages, 0)).toBeUndefined()
    expect(messageHeader([], 1000)).toBeUndefined()
  })
})
