import { fc } from '../support/random.js'
import type { NavigationProperty } from '../../lib/edm/edm-model.js'
import type {
  EntitySetProvider,
  KeyQuery,
  Provider,
  Pushdown,
  ReadQuery,
  Rows,
} from '../../lib/provider/provider.js'
import type { ProviderCall } from '../../lib/provider/provider-call.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { Expression, OrderByTerm } from '../../lib/query/expression.js'
import { conjunctsOf } from '../../lib/query/expression.js'
import { linkMembers } from './contract-data.js'

/** Capabilities that a provider lacks. Lists are decisions for successive calls, used in turn. */
export interface Handicap {
  readonly readByKey: boolean
  readonly count: boolean
  readonly readRelated: boolean
  readonly paging: boolean
  readonly filter: readonly boolean[]
  readonly orderBy: readonly boolean[]
  readonly navigation: readonly boolean[]
  /** Rows have only the requested properties. */
  readonly sparse: boolean
  /** Rows come in batches of this size, over time; undefined when they come as they did. */
  readonly batchSize: number | undefined
}

const responses = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 })

export const handicap: fc.Arbitrary<Handicap> = fc.record({
  readByKey: fc.boolean(),
  count: fc.boolean(),
  readRelated: fc.boolean(),
  paging: fc.boolean(),
  filter: responses,
  orderBy: responses,
  navigation: responses,
  sparse: fc.boolean(),
  batchSize: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
})

/** A provider that can do nothing but read everything. */
export const readingOnly: Handicap = {
  readByKey: false,
  count: false,
  readRelated: false,
  paging: false,
  filter: [false],
  orderBy: [false],
  navigation: [false],
  sparse: false,
  batchSize: undefined,
}

export const unhindered: Handicap = {
  readByKey: true,
  count: true,
  readRelated: true,
  paging: true,
  filter: [true],
  orderBy: [true],
  navigation: [true],
  sparse: false,
  batchSize: undefined,
}

/** Wraps a provider so that it does less of the work. Its rows contain their links. */
export function hindered(provider: Provider, given: Handicap): Provider {
  const entitySets = Object.entries<EntitySetProvider>(provider.entitySets).map(([set, inner]) => [
    set,
    hinderedSet(set, inner, given),
  ])
  return { entitySets: Object.fromEntries(entitySets), functions: withLinks(provider.functions ?? {}) }
}

function hinderedSet(set: string, inner: EntitySetProvider, given: Handicap): EntitySetProvider {
  const links = linkMembers(set, 'both')
  const complete = (row: Row, { properties }: KeyQuery): Row => {
    const whole = { ...row, ...links(row) }
    return given.sparse && properties !== undefined ? onlySome(whole, properties) : whole
  }
  const { media } = inner
  const agreed = new AgreedParts(inner.pushdown ?? {}, given)
  return {
    async read(query, call) {
      agreed.check(query)
      const rows = (await allRows(inner, query, call)).map((row) => complete(row, query))
      return given.batchSize === undefined ? rows : inBatches(rows, given.batchSize)
    },
    ...(given.readByKey &&
      'readByKey' in inner && {
        async readByKey(key, query, call) {
          const row = await inner.readByKey?.(key, query, call)
          return row && complete(row, query)
        },
      }),
    ...(given.count &&
      'count' in inner && {
        async count(query, call) {
          agreed.check(query)
          return (await inner.count?.(query, call)) ?? -1
        },
      }),
    ...(given.readRelated &&
      'readRelated' in inner && {
        async readRelated(query, call) {
          const { sources, ...rest } = query
          agreed.check(rest, sources.navigation)
          return ((await inner.readRelated?.(query, call)) ?? []).map((rows) =>
            rows.map((row) => complete(row, query)),
          )
        },
      }),
    ...(media && { media }),
    pushdown: agreed.pushdown,
  }
}

/** Removes properties that are not requested. Members that are not properties stay: the type, the media resource and its type. */
function onlySome(row: Row, properties: ReadonlySet<string>): Row {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => /^(?:\$|__)|@/.test(name) || properties.has(name)),
  )
}

/** Push-down that refuses some of what it is offered, and remembers what it accepted. */
class AgreedParts {
  readonly pushdown: Pushdown
  private readonly conditions = new WeakSet<Expression>()
  private readonly orders = new WeakSet<readonly OrderByTerm[]>()
  private readonly navigations = new WeakSet<NavigationProperty>()

  constructor(inner: Pushdown, { filter, orderBy, navigation, paging }: Handicap) {
    const filterDecisions = inTurn(filter)
    const orderDecisions = inTurn(orderBy)
    const navigationDecisions = inTurn(navigation)
    this.pushdown = {
      filter: (condition) =>
        filterDecisions() && inner.filter?.(condition) === true && note(this.conditions, condition),
      orderBy: (terms) => orderDecisions() && inner.orderBy?.(terms) === true && note(this.orders, terms),
      navigation: (one) =>
        navigationDecisions() && inner.navigation?.(one) === true && note(this.navigations, one),
      paging: paging && inner.paging === true,
    }
  }

  /** @throws Error when a query asks for what was never accepted */
  check(query: ReadQuery, related: NavigationProperty | undefined = query.source?.navigation): void {
    const { filter, orderBy, seek, skip, top } = query
    const conditions = filter === undefined ? [] : conjunctsOf(filter)
    const isAgreed =
      conditions.every((one) => this.conditions.has(one)) &&
      (orderBy === undefined || this.orders.has(orderBy)) &&
      (seek === undefined || orderBy !== undefined) &&
      ((skip === undefined && top === undefined) || this.pushdown.paging === true) &&
      (related === undefined || this.navigations.has(related))
    if (!isAgreed) throw new Error('The provider received a part of a query that it did not accept.')
  }
}

function note<T extends object>(accepted: WeakSet<T>, one: T): true {
  accepted.add(one)
  return true
}

/** The functions of the contract's model return products, or a number. */
function withLinks(functions: NonNullable<Provider['functions']>): NonNullable<Provider['functions']> {
  const links = linkMembers('Products', 'both')
  const complete = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(complete)
    return typeof value === 'object' && value !== null ? { ...value, ...links(value as Row) } : value
  }
  return Object.fromEntries(
    Object.entries(functions).map(([name, handler]) => [
      name,
      async (...given: Parameters<typeof handler>) => complete(await handler(...given)),
    ]),
  )
}

function inTurn(responses: readonly boolean[]): () => boolean {
  let turn = 0
  return () => responses[turn++ % responses.length] ?? false
}

/** The part of a provider that has one set. */
export function entitySetOf(provider: Provider, set: string): EntitySetProvider {
  const found = new Map(Object.entries<EntitySetProvider>(provider.entitySets)).get(set)
  if (found === undefined) throw new Error(`There is no entity set '${set}'.`)
  return found
}

/** All rows that a provider gives, in whatever form it gives them. */
async function allRows(
  provider: EntitySetProvider,
  query: ReadQuery,
  call: ProviderCall,
): Promise<readonly Row[]> {
  const result = await provider.read(query, call)
  const rows: Rows = result !== null && 'rows' in result ? result.rows : (result ?? [])
  if (Array.isArray(rows)) return (rows as readonly (Row | readonly Row[])[]).flat()
  const all: Row[] = []
  for await (const batch of rows as AsyncIterable<readonly Row[]>) all.push(...batch)
  return all
}

export async function* inBatches<R>(rows: readonly R[], size: number): AsyncGenerator<readonly R[]> {
  for (let start = 0; start < rows.length; start += size) {
    await Promise.resolve()
    yield rows.slice(start, start + size)
  }
}
