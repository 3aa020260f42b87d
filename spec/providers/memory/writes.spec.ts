import { fc, runs } from '../../support/random.js'
import { OrderServer } from '../../support/services/order-service.js'

/** The expected data as plain objects. */
interface Plain {
  readonly orders: Map<number, { region: number | null; tags: Set<string> }>
  readonly lines: Map<number, number>
}

type Step = readonly [kind: number, order: number, other: number]

const tagNames = ['cold', 'hot', 'rare']
const any = { 'If-Match': '*' }

/** Applies a step to the service and to the plain data, and returns the expected status. */
async function make([kind, id, other]: Step, plain: Plain, service: OrderServer): Promise<[number, number]> {
  const { orders, lines } = plain
  const order = orders.get(id)
  const tag = tagNames[other % 3] ?? ''
  const status = async (...sent: Parameters<OrderServer['send']>): Promise<number> =>
    (await service.send(...sent)).status
  switch (kind) {
    case 0: {
      const expected = order === undefined ? 201 : 409
      if (order === undefined) orders.set(id, { region: null, tags: new Set([tag]) })
      const Tags = [{ __metadata: { uri: `Tags('${tag}')` } }]
      return [await status('POST', 'Orders', { ID: id, Customer: 'x', Tags }), expected]
    }
    case 1: {
      if (orders.delete(id)) for (const [line, owner] of lines) if (owner === id) lines.delete(line)
      const expected = order === undefined ? 404 : 204
      return [await status('DELETE', `Orders(${id})`, undefined, any), expected]
    }
    case 2: {
      const expected = order === undefined ? 404 : lines.has(other) ? 409 : 201
      if (expected === 201) lines.set(other, id)
      return [await status('POST', `Orders(${id})/Lines`, { ID: other }), expected]
    }
    case 3: {
      const region = (other % 2) + 1
      if (order !== undefined) order.region = region
      const body = { uri: `Regions(${region})` }
      return [await status('PUT', `Orders(${id})/$links/Region`, body), order === undefined ? 404 : 204]
    }
    case 4: {
      const linked = order?.region ?? null
      if (order !== undefined) order.region = null
      return [await status('DELETE', `Orders(${id})/$links/Region`), linked === null ? 404 : 204]
    }
    case 5: {
      order?.tags.add(tag)
      const body = { uri: `Orders(${id})` }
      return [await status('POST', `Tags('${tag}')/$links/Orders`, body), order === undefined ? 404 : 204]
    }
    case 6: {
      const expected = order?.tags.delete(tag) === true ? 204 : 404
      return [await status('DELETE', `Orders(${id})/Tags('${tag}')`), expected]
    }
    default: {
      const expected = order !== undefined && lines.has(other) ? 204 : 404
      if (expected === 204) lines.set(other, id)
      const body = { uri: `Lines(${other})` }
      return [await status('POST', `Orders(${id})/$links/Lines`, body), expected]
    }
  }
}

interface Shown {
  readonly ID: number
  readonly RegionID: number | null
  readonly Lines: { readonly results: readonly { readonly ID: number }[] }
  readonly Tags: { readonly results: readonly { readonly Name: string }[] }
}

async function check({ orders, lines }: Plain, service: OrderServer): Promise<void> {
  const shown = (await service.read('Orders?$expand=Lines,Tags')) as readonly Shown[]
  const ids = [...orders.keys()].sort((a, b) => a - b)
  expect(
    shown.map(({ ID, RegionID, Lines, Tags }) => [
      ID,
      RegionID,
      Lines.results.map((line) => line.ID),
      Tags.results.map((tag) => tag.Name),
    ]),
  ).toEqual(
    ids.map((id) => [
      id,
      orders.get(id)?.region,
      [...lines].flatMap(([line, owner]) => (owner === id ? [line] : [])).sort((a, b) => a - b),
      [...(orders.get(id)?.tags ?? [])].sort(),
    ]),
  )
  // From the other end, with counts.
  for (const name of tagNames) {
    const linked = ids.filter((id) => orders.get(id)?.tags.has(name))
    expect(await service.list(`Tags('${name}')/Orders`, 'ID')).toEqual(linked)
  }
  for (const region of [1, 2]) {
    const linked = ids.filter((id) => orders.get(id)?.region === region)
    expect(await service.list(`Regions(${region})/Orders`, 'ID')).toEqual(linked)
  }
  expect((await service.send('GET', 'Lines/$count')).text).toBe(String(lines.size))
}

describe('Changes of the memory provider', () => {
  it('MUST have the same effect as the same changes of plain data', async () => {
    const step = fc.tuple(fc.nat(7), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
        const service = await OrderServer.start()
        const plain: Plain = {
          orders: new Map([
            [1, { region: 1, tags: new Set(['hot']) }],
            [2, { region: null, tags: new Set<string>() }],
          ]),
          lines: new Map([
            [1, 1],
            [2, 1],
          ]),
        }
        try {
          for (const one of steps) {
            const [actual, expected] = await make(one, plain, service)
            expect([one, actual]).toEqual([one, expected])
            await check(plain, service)
          }
        } finally {
          await service.stop()
        }
      }),
      { numRuns: runs(12) },
    )
  })
})
