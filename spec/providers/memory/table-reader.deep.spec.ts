import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { isPrimitive } from '../../../lib/edm/edm-model.js'
import type { OrderByTerm } from '../../../lib/query/expression.js'
import { boxModel } from './box-model.js'
import { RespondingService } from './service-responses.js'

const model: EdmModel = boxModel
const count = 500
const names = ['b', 'a', 'B', 'é', '', '\u{1F600}', '\uFFFD', null]

function boxes() {
  return Array.from({ length: count }, (_, index) => ({
    ID: index + 1,
    Name: names[(index * 7) % names.length] ?? null,
    Size: { Width: index % 9 === 0 ? null : (index * 31) % 17, Height: index % 4 },
    OwnerID: index === 0 ? null : ((index * 13) % index) + 1,
  }))
}

function start(): RespondingService {
  const provider = memoryProvider(model, { Boxes: boxes() })
  return new RespondingService(model, provider, { pageSize: 60, nextTop: 'same' })
}

/** Enough requests for the sorted rows to be cached. */
const often = 14

/** All pages of a collection. */
async function walk(service: RespondingService, target: string): Promise<readonly string[]> {
  const pages: string[] = []
  for (let next: string | undefined = target; next !== undefined;) {
    const { status, text } = await service.send({ target: next, headers: { accept: 'application/json' } })
    expect(status).toBe(200)
    pages.push(text)
    const { d } = JSON.parse(text) as { d: { __next?: string } }
    next = d.__next?.replace('http://localhost/shop', '')
  }
  return pages
}

describe('A frequently requested order', () => {
  const targets = [
    '/Boxes?$orderby=Name',
    '/Boxes?$orderby=Name%20desc',
    '/Boxes?$orderby=Size/Width%20desc,Name&$skip=7',
    "/Boxes?$orderby=Size/Width,Size/Height%20desc&$filter=Name%20ne%20'a'",
    '/Boxes?$orderby=Name&$top=9&$filter=ID%20gt%20100',
    '/Boxes?$orderby=Name&$top=5&$filter=ID%20eq%203%20or%20ID%20eq%207',
    '/Boxes?$orderby=Name,ID%20desc&$top=0',
    '/Boxes?$orderby=Owner/Name,Name&$top=50',
    '/Boxes?$orderby=length(Name),Name&$top=50',
  ]

  it.each(targets)('MUST return the same entities at every request: %s', async (target) => {
    const first = await walk(start(), target)
    const service = start()
    for (let time = 0; time < often; time++) expect(await walk(service, target)).toEqual(first)
  })

  it('MUST show every change immediately', async () => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const target = '/Boxes?$orderby=Name&$top=3&$select=ID,Name'
    const [requested, fresh] = [start(), start()]
    for (const [key, Name] of [
      [3, null],
      [400, '\u0001'],
      [3, 'zz'],
    ] as const) {
      for (let time = 0; time < often; time++) await walk(requested, target)
      const change = { method: 'MERGE', target: `/Boxes(${key})`, headers, body: JSON.stringify({ Name }) }
      await requested.send(change)
      await fresh.send(change)
      expect(await walk(requested, target)).toEqual(await walk(fresh, target))
    }
  })

  it('MUST NOT fail other requests when the request that sorts the rows is aborted', async () => {
    const provider = memoryProvider(model, { Boxes: boxes() })
    const read = (signal: AbortSignal) => {
      const orderBy = [termOf('Name'), termOf('ID')]
      const call = { context: undefined, signal, customOptions: [], messages: { add: () => undefined } }
      return provider.entitySets.Boxes?.read({ entitySet: 'Boxes', orderBy, top: 3 }, call)
    }
    const client = new AbortController()
    client.abort(new Error('gone away'))
    const stays = new AbortController().signal
    const expected = await read(stays)
    for (let time = 0; time < often; time++) {
      await Promise.resolve(read(client.signal)).catch(() => undefined)
      expect(await read(stays)).toEqual(expected)
    }
  })
})

function termOf(name: string): OrderByTerm {
  const [container] = model.entityContainers
  const property = container?.entitySets[0]?.entityType.properties.find((one) => one.name === name)
  if (property === undefined || !isPrimitive(property.type)) throw new Error('The model has changed.')
  const expression = { kind: 'PropertyPath', steps: [], property, type: property.type } as const
  return { expression, descending: false }
}
