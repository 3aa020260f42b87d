import { fc, runs } from '../support/random.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { ContractRows, PlainRow } from '../contracts/contract-data.js'
import { contractRows } from '../contracts/contract-data.js'
import { contractModel } from '../contracts/contract-model.js'
import { vocabularies, vocabularyOf } from '../contracts/contract-vocabulary.js'
import { functionRequest, requestOn } from '../contracts/random-requests.js'
import type { PartResponse } from '../support/batch-exchange.js'
import { responsesIn, batchBody, get, postBatch, written } from '../support/batch-exchange.js'
import { contractMemory } from '../support/contract-memory.js'
import { LiveServer } from '../support/live-server.js'

const sets = Object.keys(vocabularies)

/** In milliseconds, for one property, on a machine with other load. */
const longest = 60_000

/** The indexes of the hidden rows of the contract, by set. */
type Hidden = Readonly<Record<string, readonly number[]>>

const hidden: fc.Arbitrary<Hidden> = fc.record(
  Object.fromEntries(
    sets.map((set) => [set, fc.subarray((contractRows[set] ?? []).map((_row, index) => index))]),
  ),
)

/** A condition that names one row by its key. */
function naming(set: string, row: PlainRow): string {
  const literal = (value: unknown): string =>
    typeof value === 'bigint'
      ? `${value}L`
      : typeof value === 'number'
        ? String(value)
        : quoted(value as string)
  const quoted = (text: string): string => {
    if (set === 'Tags') return `guid'${text}'`
    return set === 'Journal' ? `datetime'${text}'` : `'${text.replaceAll("'", "''")}'`
  }
  return (keys[set] ?? ['ID']).map((name) => `${name} eq ${literal(row[name])}`).join(' and ')
}

const keys: Readonly<Record<string, readonly string[]>> = {
  Suppliers: ['Name'],
  Lines: ['Order', 'No'],
  Tags: ['Id'],
  Journal: ['At'],
}

/** The filter that leaves all rows but the hidden ones, for whatever is done. */
function hiding(hidden: Hidden): Authorize {
  const filters = new Map(
    Object.entries(hidden)
      .filter(([, places]) => places.length > 0)
      .map(([set, places]) => [
        set,
        places.map((place) => `not (${naming(set, contractRows[set]?.[place] ?? {})})`).join(' and '),
      ]),
  )
  return ({ entitySet }) => filters.get(entitySet ?? '')
}

function visible(hidden: Hidden): ContractRows {
  return Object.fromEntries(
    Object.entries(contractRows).map(([set, rows]) => [
      set,
      rows.filter((_row, index) => hidden[set]?.includes(index) !== true),
    ]),
  )
}

const keyOf = (set: string): fc.Arbitrary<string> => fc.constantFrom(...vocabularyOf(set).keys)
const entityIn = (set: string): fc.Arbitrary<string> => keyOf(set).map((key) => `${set}(${key})`)
const changeable = ['Categories', 'Products', 'Lines', 'Tags', 'Photos', 'Parties'] as const
const titles = {
  Categories: 'Name',
  Products: 'Name',
  Lines: 'Amount',
  Tags: 'Label',
  Photos: 'Title',
} as const
const titleOf = (set: string): string => titles[set as keyof typeof titles] ?? 'Name'
const title = fc.constantFrom('1', '2.5', null)
const anyEntity = fc.constantFrom(...changeable).chain((set) => fc.tuple(fc.constant(set), entityIn(set)))
const product = entityIn('Products')
const tag = entityIn('Tags')

/** The member of a new entity that links it to another one, or to none. */
function linked(navigation: string, uri: string | undefined, isCollection = false): object {
  if (uri === undefined) return {}
  const link = { __metadata: { uri } }
  return { [navigation]: isCollection ? [link] : link }
}

const maybe = (address: fc.Arbitrary<string>) => fc.option(address, { nil: undefined, freq: 1 })

/** A change of what may be hidden, or may not be there. None takes a key, or the place of a link, that is in use. */
const change: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(anyEntity, title, fc.constantFrom('MERGE', 'PUT'))
    .map(([[set, at], text, method]) => json(`${method} ${at}`, { [titleOf(set)]: text })),
  fc
    .tuple(anyEntity, title)
    .map(([[set, at], text]) => json(`PUT ${at}/${titleOf(set)}`, { [titleOf(set)]: text })),
  anyEntity.map(([set, at]) => written(`DELETE ${at}/${titleOf(set)}/$value`)),
  anyEntity.map(([, at]) => written(`DELETE ${at}`)),
  fc.tuple(product, tag).map(([from, to]) => json(`POST ${from}/$links/Tags`, { uri: to })),
  fc.tuple(product, keyOf('Tags')).map(([from, key]) => written(`DELETE ${from}/$links/Tags(${key})`)),
  fc.tuple(product, keyOf('Tags')).map(([from, key]) => written(`DELETE ${from}/Tags(${key})`)),
  fc.tuple(product, keyOf('Lines')).map(([from, key]) => written(`DELETE ${from}/Lines(${key})`)),
  fc
    .tuple(entityIn('Categories'), maybe(tag))
    .map(([parent, to]) =>
      json(`POST ${parent}/Products`, { ID: '500', Dims: {}, ...linked('Tags', to, true) }),
    ),
  fc
    .tuple(maybe(entityIn('Categories')), maybe(entityIn('Suppliers')), maybe(tag))
    .map(([category, supplier, label]) =>
      json('POST Products', {
        ID: '501',
        Dims: {},
        ...linked('Category', category),
        ...linked('Supplier', supplier),
        ...linked('Tags', label, true),
      }),
    ),
  entityIn('Photos').map((at) => written(`PUT ${at}/$value`, 'bytes', { 'Content-Type': 'text/plain' })),
)

function json(line: string, body: unknown): string {
  return written(line, JSON.stringify(body), { Accept: 'application/json' })
}

const read = requestOn(sets).map((text) => get(text.slice(1)))
const readsOrCalls = fc.oneof(
  { weight: 4, arbitrary: read },
  functionRequest.map((text) => get(text.slice(1))),
)
const changeSet = fc.array(change, { minLength: 1, maxLength: 3 })

describe('A service whose application hides entities, in a batch', () => {
  let server: LiveServer

  beforeAll(async () => {
    server = await LiveServer.start()
  })

  afterAll(() => server.close())

  function mount(name: string, provider: Provider, options: ODataV2Options): void {
    const more = { serviceRoot: 'http://depot.test/', onError: () => undefined, pageSize: 3 }
    server.mount(name, odataV2(contractModel(), provider, { ...more, ...options }))
  }

  async function responses(name: string, body: string): Promise<unknown[]> {
    const exchange = await postBatch(server.port, body, {}, `/${name}/$batch`)
    expect(exchange.status).toBe(202)
    return responsesIn(exchange).map((one) => ('status' in one ? comparable(one) : one.map(comparable)))
  }

  async function expectAlike(parts: readonly (string | readonly string[])[], hidden: Hidden): Promise<void> {
    const everything = sets.map((set) => get(set))
    mount('without', contractMemory(visible(hidden)), {})
    mount('restricted', contractMemory(), { authorize: hiding(hidden) })
    for (const body of [batchBody(...parts), batchBody(...everything)]) {
      expect([parts, await responses('restricted', body)]).toEqual([parts, await responses('without', body)])
    }
  }

  it(
    'MUST return the same responses to reads as a service without the hidden data',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(readsOrCalls, { minLength: 1, maxLength: 6 }), hidden, expectAlike),
        { numRuns: runs(40) },
      ),
    longest,
  )

  it(
    'MUST return the same responses to changes as a service without the hidden data, with the same result',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(changeSet, read), { minLength: 1, maxLength: 5 }),
          hidden,
          expectAlike,
        ),
        { numRuns: runs(120) },
      ),
    longest,
  )
})

function comparable({ status, headers, body }: PartResponse): unknown {
  return {
    status,
    type: headers['content-type'],
    location: headers.location,
    body: body.replace(versions, '"'),
  }
}

/** Versions of bytes are of the store that keeps them. */
const versions = /"(?:W\/)?\\"[^"]*\\""/g
