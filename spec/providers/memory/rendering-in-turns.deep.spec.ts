import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { EntitySetProvider, Provider } from '../../../lib/provider/provider.js'
import type { RenderedBatches } from '../../../lib/provider/rendering.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'
import { boxModel } from './box-model.js'
import { AnsweringService } from './service-answers.js'

const model: EdmModel = boxModel
const count = 3_000

const call = callWith()

type Sets = Readonly<Record<string, EntitySetProvider>>

function provider(renderedBytes?: number): Provider {
  const Boxes = Array.from({ length: count }, (_, index) => ({
    ID: index + 1,
    Name: `box ${index + 1}`,
    OwnerID: index === 0 ? null : (index % 7) + 1,
  }))
  return memoryProvider(model, { Boxes }, { renderedBytes })
}

function boxesOf({ entitySets }: Provider): EntitySetProvider {
  const { Boxes } = entitySets as Sets
  if (Boxes === undefined) throw new Error('There are no boxes.')
  return Boxes
}

/** A provider whose pages are read by the spec itself, batch by batch, and one that keeps nothing. */
async function start(target: string) {
  const keeping = provider()
  const set = boxesOf(keeping)
  let open: (() => Promise<RenderedBatches>) | undefined
  const watched: EntitySetProvider = {
    ...set,
    render(query, rendering) {
      open = async () => {
        const entities = await set.render?.call(this, query, rendering, call)
        if (entities === undefined || !('next' in entities)) throw new Error('Nothing is written.')
        return entities
      }
      return set.render?.call(this, query, rendering, call)
    },
  }
  const options = { pageSize: 0, limits: { expandedRows: 1_000_000 } }
  const service = new AnsweringService(
    model,
    { ...keeping, entitySets: { ...keeping.entitySets, Boxes: watched } },
    options,
  )
  const plainSets = provider(0)
  const plain = new AnsweringService(model, plainSets, options)
  const headers = { accept: 'application/json' }
  const same = async () => {
    const expected = await plain.ask({ target, headers })
    for (let time = 0; time < 3; time++) expect(await service.ask({ target, headers })).toEqual(expected)
  }
  const change = async (ID: number, Name: string, from = call) => {
    await set.update?.({ ID }, { Name }, {}, from)
    await boxesOf(plainSets).update?.({ ID }, { Name }, {}, call)
  }
  // From the second time on.
  await service.ask({ target, headers })
  return { same, change, keeping, set, open: async () => (await open?.()) as RenderedBatches }
}

async function rest(entities: RenderedBatches): Promise<number> {
  let shown = 0
  for (let batch = await entities.next(); batch !== undefined; batch = await entities.next()) {
    shown += 'rows' in batch ? batch.rows.length : batch.count
  }
  return shown
}

describe.each(['/Boxes?', '/Boxes?$expand=Owner'])('A page of %s that is written in turns', (target) => {
  it('MUST not leave behind what changed meanwhile', async () => {
    const { same, change, open } = await start(target)
    const entities = await open()
    const first = await entities.next()
    await change(2_900, 'changed behind')
    await change(3, 'changed before')
    const shown = first === undefined || 'rows' in first ? 0 : first.count
    expect(shown).toBeGreaterThan(0)
    expect(shown + (await rest(entities))).toBe(count)
    await same()
  })

  it('MUST not leave behind what was taken back', async () => {
    const { same, open, keeping, set } = await start(target)
    const entities = await open()
    await entities.next()
    const changeSet = await keeping.beginChangeSet?.(call)
    await set.update?.({ ID: 2_900 }, { Name: 'never' }, {}, { ...call, changeSet })
    await set.update?.({ ID: 2 }, { Name: 'never' }, {}, { ...call, changeSet })
    const ending = rest(entities)
    await new Promise((resolve) => setImmediate(resolve))
    await changeSet?.rollBack()
    await ending
    await same()
  })

  it('MUST end when nobody wants more', async () => {
    const { same, open } = await start(target)
    const entities = await open()
    await entities.next()
    await entities.close()
    expect(await entities.next()).toBeUndefined()
    await same()
  })
})
