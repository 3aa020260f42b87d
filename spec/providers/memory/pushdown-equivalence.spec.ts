import type { CollectionPage } from '../../../lib/data/collection-page.js'
import { fc, runs } from '../../support/random.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { ODataError } from '../../../lib/errors/odata-error.js'
import { Authorization } from '../../../lib/data/authorization.js'
import type { Authorize } from '../../../lib/provider/authorize.js'
import { presentRow } from '../../../lib/data/target-reader.js'
import { DataReader } from '../../../lib/data/data-reader.js'
import type { EntitySetProvider, Provider, Pushdown, Rows } from '../../../lib/provider/provider.js'
import { ProviderCalls } from '../../../lib/data/provider-calls.js'
import type { RowBatch } from '../../../lib/data/row-batch.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { QueryLimits } from '../../../lib/query/bind-query-options.js'
import { bindQueryOptions } from '../../../lib/query/bind-query-options.js'
import { bindResourcePath } from '../../../lib/query/bind-resource-path.js'
import type { EntityQuery } from '../../../lib/query/entity-query.js'
import type { Expression } from '../../../lib/query/expression.js'
import type { CollectionSource, EntitySource } from '../../../lib/query/request-target.js'
import { isCollection } from '../../../lib/query/request-target.js'
import { parseQueryOptions } from '../../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../../lib/uri/split-resource-path.js'
import type { RandomRequest } from './random-requests.js'
import { filterOn, request, setNames } from './random-requests.js'
import { callWith } from '../../support/provider-call.js'
import type { World } from './random-shop.js'
import { linkKeys, linkNames, shopProvider, world } from './random-shop.js'
import { shopModel } from './shop-model.js'

const model = shopModel()

const limits: QueryLimits = {
  expressionDepth: 100,
  expressionNodes: 1000,
  expandDepth: 5,
  expandPaths: 20,
  orderByTerms: 20,
  top: 1_000_000,
}

/** The capabilities that are removed from a provider. */
interface Weakness {
  readonly readByKey: boolean
  readonly count: boolean
  readonly readRelated: boolean
  readonly orderBy: boolean
  readonly paging: boolean
  readonly navigation: boolean
  /** Accepts (true) or declines each offered condition. Later conditions start again at the first element. */
  readonly filter: readonly boolean[]
}

const weakness: fc.Arbitrary<Weakness> = fc.record({
  readByKey: fc.boolean(),
  count: fc.boolean(),
  readRelated: fc.boolean(),
  orderBy: fc.boolean(),
  paging: fc.boolean(),
  navigation: fc.boolean(),
  filter: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
})

const withoutPushdown: Weakness = {
  readByKey: true,
  count: true,
  readRelated: true,
  orderBy: false,
  paging: false,
  navigation: false,
  filter: [false],
}

/** A provider of the same data with fewer capabilities. Its rows contain the keys of linked entities. */
function weakened(provider: Provider<EdmModel>, data: World, weak: Weakness): Provider<EdmModel> {
  let offered = 0
  // A provider gives the same response for the same condition.
  const responses = new WeakMap<Expression, boolean>()
  const accepts = (condition: Expression): boolean => {
    const response = responses.get(condition) ?? weak.filter[offered++ % weak.filter.length] ?? false
    responses.set(condition, response)
    return response
  }
  const pushdown: Pushdown = {
    filter: accepts,
    orderBy: () => weak.orderBy,
    paging: weak.paging,
    navigation: () => weak.navigation,
  }
  const entitySets = Object.entries(provider.entitySets).map(([set, inner]) => {
    const complete = linkKeys(data, set)
    const all = async (rows: Rows | Promise<Rows>) => ((await rows) as readonly Row[]).map(complete)
    const outer: EntitySetProvider = {
      pushdown,
      read: (query, call) => all(inner.read(query, call) as Rows | Promise<Rows>),
      ...(weak.readByKey && {
        readByKey: async (key, query, call) => {
          const row = await inner.readByKey?.(key, query, call)
          return row && complete(row)
        },
      }),
      ...(weak.count && { count: async (query, call) => (await inner.count?.(query, call)) ?? -1 }),
      ...(weak.readRelated && {
        readRelated: async (query, call) =>
          ((await inner.readRelated?.(query, call)) ?? []).map((rows) => rows.map(complete)),
      }),
    }
    return [set, outer]
  })
  return { entitySets: Object.fromEntries(entitySets) }
}

function accessTo(provider: Provider<EdmModel>, authorize?: Authorize): DataReader {
  return new DataReader(new ProviderCalls(provider, callWith()), {
    authorization: new Authorization(model, authorize),
    limits: {
      scannedRows: 1_000_000,
      sortedRows: 1_000_000,
      expandedRows: 1_000_000,
      groups: 100_000,
      exportRows: 1_000_000,
    },
    pageSize: () => 3,
  })
}

/** The combined pages of a request. */
async function resultOf(access: DataReader, { path, options }: RandomRequest): Promise<unknown> {
  const pairs = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const { segments, query } = splitRelativeUri(`/${path}?${pairs.join('&')}`)
  const received = parseQueryOptions(query)
  const target = bindResourcePath(segments, model, received)
  const queryOn = ({ set }: CollectionSource | EntitySource) =>
    bindQueryOptions(received, target, set, model, limits)
  try {
    switch (target.kind) {
      case 'EntitySet':
        return await pagesOf(access, target.collection, queryOn(target.collection))
      case 'EntityCount': {
        const { of } = target
        const query = queryOn(of)
        return isCollection(of)
          ? await access.count(of, await access.authorize(of, query, true))
          : await access.countEntity(of, query.filter)
      }
      case 'Entity': {
        const { entity } = target
        const query = queryOn(entity)
        const authorized = await access.authorize(entity, query)
        const row = presentRow(await access.readEntity(entity, authorized, query.projection), entity)
        return plain(await access.expand(row, entity, query.projection, authorized.restrictions))
      }
      default:
        throw new Error(`${path} is not a compared request`)
    }
  } catch (error) {
    if (error instanceof ODataError) return error.code
    throw error
  }
}

async function pagesOf(
  access: DataReader,
  source: CollectionSource,
  requested: EntityQuery,
): Promise<unknown> {
  const pages: unknown[] = []
  let query: EntityQuery | undefined = requested
  while (query !== undefined) {
    if (pages.length > 20) throw new Error('The pages do not end.')
    const page: CollectionPage = await access.page(source, await access.authorize(source, query))
    const rows: unknown[] = []
    for (let batch = await page.next(); batch !== undefined; batch = await page.next()) {
      const { length } = batch.rows
      for (let index = 0; index < length; index++) rows.push(plain(batch, index, index + 1))
    }
    const next = page.hasMore ? await page.nextPosition() : undefined
    pages.push({ rows, next, total: page.inlineCount })
    const top: number | undefined = query.top === undefined ? undefined : query.top - page.count
    query = next === undefined ? undefined : { ...query, seek: next, skip: 0, top }
  }
  return pages
}

/** Rows without the keys that weak providers add, and with expanded entities. */
function plain({ rows, expansions }: RowBatch, from = 0, to = rows.length): unknown {
  return rows.slice(from, to).map((row, index) => ({
    row: Object.fromEntries(Object.entries(row).filter(([name]) => !linkNames.includes(name))),
    inline: expansions.map(({ batch, offsets, truncated }) => ({
      related: plain(batch, offsets[from + index], offsets[from + index + 1]),
      isTruncated: truncated.has(from + index),
    })),
  }))
}

const restrictions: fc.Arbitrary<Readonly<Record<string, string>>> = fc
  .tuple(...setNames.map((set) => fc.option(filterOn(set), { nil: undefined, freq: 3 })))
  .map((filters) =>
    Object.fromEntries(
      setNames.flatMap((set, index) => (filters[index] === undefined ? [] : [[set, filters[index]]])),
    ),
  )

function authorizeBy(filters: Readonly<Record<string, string>>): Authorize {
  return (operation) => (operation.kind === 'function' ? undefined : filters[operation.entitySet])
}

const requests = fc.array(request, { minLength: 1, maxLength: 8 })

describe('The memory provider', () => {
  it('MUST return the same results as the service without push-down', () =>
    fc.assert(
      fc.asyncProperty(world, requests, async (data, all) => {
        const provider = shopProvider(data)
        const weak = weakened(provider, data, withoutPushdown)
        for (const one of all) {
          expect(await resultOf(accessTo(provider), one)).toEqual(await resultOf(accessTo(weak), one))
        }
      }),
      { numRuns: runs(150) },
    ))

  it('MUST return the same results for every subset of pushed-down options', () =>
    fc.assert(
      fc.asyncProperty(world, requests, weakness, async (data, all, parts) => {
        const provider = shopProvider(data)
        const weak = weakened(provider, data, parts)
        for (const one of all) {
          expect(await resultOf(accessTo(provider), one)).toEqual(await resultOf(accessTo(weak), one))
        }
      }),
      { numRuns: runs(150) },
    ))

  it('MUST apply the filters of `authorize` as the service does, even for navigation properties', () =>
    fc.assert(
      fc.asyncProperty(world, requests, weakness, restrictions, async (data, all, parts, filters) => {
        const provider = shopProvider(data)
        const weak = weakened(provider, data, parts)
        const authorize = authorizeBy(filters)
        for (const one of all) {
          const expected = await resultOf(accessTo(weak, authorize), one)
          expect(await resultOf(accessTo(provider, authorize), one)).toEqual(expected)
        }
      }),
      { numRuns: runs(150) },
    ))
})
