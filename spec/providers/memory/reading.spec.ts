import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel, EntityType } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { EntitySetProvider, ReadQuery } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { bindFilter, bindOrderBy } from '../../../lib/query/bind-expression.js'
import { keyOrder, totalOrder } from '../../../lib/query/entity-query.js'
import type { Expression, OrderByTerm } from '../../../lib/query/expression.js'
import { parseFilter, parseOrderBy } from '../../../lib/uri/parse-expression.js'
import { manualClock } from '../../support/manual-clock.js'
import { callWith } from '../../support/provider-call.js'

const call = callWith()

const model: EdmModel = defineModel({
  namespace: 'R',
  entityTypes: {
    Item: { key: ['ID'], properties: { ID: edm.Int32(), Name: edm.String(), Rank: edm.Int32() } },
  },
  entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
})

const entitySet = 'Items'

/** Items with the keys 1 to n, in any order. */
function items(count: number): EntitySetProvider {
  const rows = Array.from({ length: count }, (_, index) => {
    const ID = 1 + ((index * 7919) % count)
    return { ID, Name: `n${ID % 10}`, Rank: ID % 3 }
  })
  return provided(memoryProvider(model, { Items: rows }).entitySets.Items)
}

function provided(provider: EntitySetProvider | undefined): EntitySetProvider {
  if (provider === undefined) throw new Error('no provider')
  return provider
}

const entityType = model.entityTypes.get('R.Item') as EntityType
const set = model.defaultContainer.entitySet('Items')

function filter(source: string): Expression {
  if (set === undefined) throw new Error('no set')
  return bindFilter(parseFilter(source), { model, entitySet: set, entityType }, { source, label: '$filter' })
}

function order(source: string): readonly OrderByTerm[] {
  if (set === undefined) throw new Error('no set')
  const scope = { model, entitySet: set, entityType }
  return totalOrder(bindOrderBy(parseOrderBy(source), scope, { source, label: '$orderby' }), entityType)
}

async function idsOf(provider: EntitySetProvider, query: Omit<ReadQuery, 'entitySet'>): Promise<unknown[]> {
  const rows = (await provider.read({ entitySet, ...query }, call)) as readonly Row[]
  return rows.map(({ ID }) => ID)
}

describe('Reading from memory', () => {
  const clock = manualClock()

  it('MUST find an entity by its complete key only', async () => {
    const provider = items(11)
    expect(await provider.readByKey?.({ ID: 7 }, {}, call)).toMatchObject({ ID: 7, Name: 'n7' })
    expect(await provider.readByKey?.({ ID: 12 }, {}, call)).toBeUndefined()
    expect(await provider.readByKey?.({}, {}, call)).toBeUndefined()
  })

  it('MUST find an entity by a decimal key with trailing zeros', async () => {
    const weights: EdmModel = defineModel({
      namespace: 'W',
      entityTypes: { Weight: { key: ['Kg'], properties: { Kg: edm.Decimal() } } },
      entityContainer: { entitySets: { Weights: { entityType: 'Weight' } } },
    })
    const provider = provided(
      memoryProvider(weights, { Weights: [{ Kg: '2.50' }, { Kg: 100 }] }).entitySets.Weights,
    )
    expect(await provider.readByKey?.({ Kg: '2.5' }, {}, call)).toEqual({ Kg: '2.50' })
    expect(await provider.readByKey?.({ Kg: '100.0' }, {}, call)).toEqual({ Kg: '100' })
    expect(await provider.readByKey?.({ Kg: '1' }, {}, call)).toBeUndefined()
  })

  it('MUST return pages in the order of the key, forward and backward', async () => {
    const provider = items(11)
    const forward = keyOrder(entityType)
    const backward = order('ID desc')
    expect(await idsOf(provider, { orderBy: forward, skip: 2, top: 3 })).toEqual([3, 4, 5])
    expect(await idsOf(provider, { orderBy: forward, seek: [9], top: 3 })).toEqual([10, 11])
    expect(await idsOf(provider, { orderBy: forward, seek: [11] })).toEqual([])
    expect(await idsOf(provider, { orderBy: forward, skip: 20 })).toEqual([])
    expect(await idsOf(provider, { orderBy: backward, skip: 2, top: 3 })).toEqual([9, 8, 7])
    expect(await idsOf(provider, { orderBy: backward, seek: [3, 3], top: 9 })).toEqual([2, 1])
    expect(await idsOf(provider, { orderBy: backward, skip: 10, top: 9 })).toEqual([1])
    expect(await idsOf(provider, { orderBy: backward, skip: 20 })).toEqual([])
    expect(await idsOf(provider, { orderBy: forward, top: 0 })).toEqual([])
  })

  it('MUST start after a position whose entity was deleted', async () => {
    const provider = provided(
      memoryProvider(model, { Items: [{ ID: 1 }, { ID: 5 }, { ID: 9 }] }).entitySets.Items,
    )
    expect(await idsOf(provider, { orderBy: keyOrder(entityType), seek: [4] })).toEqual([5, 9])
    expect(await idsOf(provider, { orderBy: order('ID desc'), seek: [6, 6] })).toEqual([5, 1])
  })

  it('MUST sort by other properties, with and without limit', async () => {
    const provider = items(7)
    const orderBy = order('Rank desc')
    expect(await idsOf(provider, { orderBy })).toEqual([2, 5, 1, 4, 7, 3, 6])
    expect(await idsOf(provider, { orderBy, skip: 1, top: 3 })).toEqual([5, 1, 4])
    expect(await idsOf(provider, { orderBy, seek: [1, 4], top: 2 })).toEqual([7, 3])
    expect(await idsOf(provider, { orderBy, seek: [1, 4], filter: filter('ID gt 3') })).toEqual([7, 6])
  })

  it('MUST evaluate a filter with keys only for the rows with these keys', async () => {
    const provider = items(100)
    const among = filter('(ID eq 9 or 5 eq ID or ID eq 500) and Rank ne 1')
    expect(await idsOf(provider, { filter: among })).toEqual([5, 9])
    expect(await idsOf(provider, { filter: filter('ID eq 9 and ID eq 5') })).toEqual([])
    expect(await idsOf(provider, { filter: filter('ID eq 9 or Rank eq 7') })).toEqual([9])
    expect(await provider.count?.({ entitySet, filter: among }, call)).toBe(2)
  })

  it('MUST return few rows synchronously', () => {
    const provider = items(200)
    const orderBy = order('Name')
    expect(provider.read({ entitySet, filter: filter('Rank eq 1'), orderBy, top: 3 }, call)).toHaveLength(3)
    expect(provider.count?.({ entitySet, filter: filter('Rank eq 1') }, call)).toBe(67)
    expect(items(50_000).read({ entitySet, filter: filter('ID le 3'), top: 3 }, call)).toHaveLength(3)
  })

  const everyItem = filter('length(Name) gt 0')
  const costMs = 2

  it('MUST yield to the event loop many times during a long scan', async () => {
    clock.step = costMs
    const provider = items(2_000)
    let turns = 0
    let done = false
    const others = (): void => {
      turns++
      if (!done) setImmediate(others)
    }
    setImmediate(others)
    const found = provider.read({ entitySet, filter: everyItem, orderBy: order('Rank') }, call)
    expect(found).toBeInstanceOf(Promise)
    expect(await found).toHaveLength(2_000)
    done = true
    expect(turns).toBeGreaterThan(20)
  })

  it('MUST check for an aborted request only after yielding', async () => {
    const provider = items(2_000)
    let requested = 0
    const counted: typeof call = {
      ...call,
      get signal() {
        requested++
        return call.signal
      },
    }
    const small = { entitySet, top: 5 }
    await provider.read({ ...small, orderBy: order('ID') }, counted)
    await provider.read({ ...small, filter: filter('ID eq 7'), orderBy: order('Rank') }, counted)
    await provider.readByKey?.({ ID: 7 }, {}, counted)
    await provider.count?.({ entitySet, filter: filter('ID eq 7') }, counted)
    expect(requested).toBe(0)
    clock.step = costMs
    await provider.count?.({ entitySet, filter: everyItem }, counted)
    expect(requested).toBeGreaterThan(0)
  })

  it('MUST stop scanning when the request is aborted', async () => {
    clock.step = costMs
    const provider = items(2_000)
    const client = new AbortController()
    const found = provider.count?.({ entitySet, filter: everyItem }, { ...call, signal: client.signal })
    client.abort(new Error('gone'))
    await expect(found).rejects.toThrow('gone')
  })
})

describe('Media resources in memory', () => {
  const photos: EdmModel = defineModel({
    namespace: 'P',
    entityTypes: {
      Item: { key: ['ID'], properties: { ID: edm.Int32() } },
      Photo: { baseType: 'Item', hasStream: true },
    },
    entityContainer: { entitySets: { Items: { entityType: 'Item' } } },
  })
  const bytes = new Uint8Array([1, 2, 3, 4])
  const $type = 'P.Photo'
  const { media } = provided(
    memoryProvider(photos, {
      Items: [{ $type, ID: 1, $media: { contentType: 'image/png', bytes } }, { $type, ID: 2 }, { ID: 3 }],
    }).entitySets.Items,
  )

  it('MUST have the given type, size, version and bytes', async () => {
    const row = { $type, ID: 1 }
    const opened = await media?.open(row, call)
    expect(media?.contentType(row)).toBe('image/png')
    expect(opened).toMatchObject({ contentType: 'image/png', size: 4, etag: media?.etag?.(row) })
    expect(opened?.etag).toMatch(/^"[\w-]+"$/)
    expect(opened?.lastModified).toBeInstanceOf(Date)
    bytes[0] = 9
    expect(opened?.stream()).toEqual(new Uint8Array([1, 2, 3, 4]))
    expect(opened?.stream({ start: 1, end: 2 })).toEqual(new Uint8Array([2, 3]))
  })

  it('MUST be empty if none was given', async () => {
    expect(await media?.open({ $type, ID: 2 }, call)).toMatchObject({
      contentType: 'application/octet-stream',
      size: 0,
    })
  })

  it('MUST be absent for entities and sets without media link entries', async () => {
    expect(await media?.open({ ID: 3 }, call)).toBeUndefined()
    expect(items(1).media).toBeUndefined()
  })

  it('MUST be given in the expected form', () => {
    const wrong = { Items: [{ $type, ID: 1, $media: { contentType: 'text/plain', bytes: 'text' } }] }
    expect(() => memoryProvider(photos, wrong)).toThrow(
      'Items[0].$media: Expected { contentType: string, bytes: Uint8Array }.',
    )
  })
})
