import fc from 'fast-check'
import type { EntitySetProvider, Provider, Pushdown, ReadQuery, Rows } from '../../lib/provider/provider.js'
import type { ProviderCall } from '../../lib/provider/provider-call.js'
import type { Row } from '../../lib/evaluation/row.js'
import { linkMembers } from './contract-data.js'

/** What a provider is kept from doing. Lists are answers that are given in turn, to one question after the other. */
export interface Handicap {
  readonly readByKey: boolean
  readonly count: boolean
  readonly readRelated: boolean
  readonly paging: boolean
  readonly filter: readonly boolean[]
  readonly orderBy: readonly boolean[]
  readonly navigation: readonly boolean[]
  /** Rows come in batches of this size, over time; undefined when they come as they did. */
  readonly batchSize: number | undefined
}

const answers = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 })

export const handicap: fc.Arbitrary<Handicap> = fc.record({
  readByKey: fc.boolean(),
  count: fc.boolean(),
  readRelated: fc.boolean(),
  paging: fc.boolean(),
  filter: answers,
  orderBy: answers,
  navigation: answers,
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
  batchSize: undefined,
}

/** The same data behind a provider that does less of the work. Its rows tell what they are linked to. */
export function hindered(provider: Provider, given: Handicap): Provider {
  const entitySets = Object.entries<EntitySetProvider>(provider.entitySets).map(([set, inner]) => [
    set,
    hinderedSet(set, inner, given),
  ])
  return { entitySets: Object.fromEntries(entitySets), functions: provider.functions }
}

function hinderedSet(set: string, inner: EntitySetProvider, given: Handicap): EntitySetProvider {
  const links = linkMembers(set, 'both')
  const complete = (row: Row): Row => ({ ...row, ...links(row) })
  const { readByKey, count, readRelated, media } = inner
  return {
    async read(query, call) {
      const rows = (await allRows(inner, query, call)).map(complete)
      return given.batchSize === undefined ? rows : inBatches(rows, given.batchSize)
    },
    ...(given.readByKey &&
      readByKey && {
        async readByKey(key, query, call) {
          const row = await readByKey.call(inner, key, query, call)
          return row && complete(row)
        },
      }),
    ...(given.count && count && { count: (query, call) => count.call(inner, query, call) }),
    ...(given.readRelated &&
      readRelated && {
        readRelated: async (query, call) =>
          (await readRelated.call(inner, query, call)).map((rows) => rows.map(complete)),
      }),
    ...(media && { media }),
    pushdown: hinderedPushdown(inner.pushdown ?? {}, given),
  }
}

function hinderedPushdown(inner: Pushdown, given: Handicap): Pushdown {
  const filterAnswers = inTurn(given.filter)
  const orderAnswers = inTurn(given.orderBy)
  const navigationAnswers = inTurn(given.navigation)
  return {
    filter: (condition) => filterAnswers() && inner.filter?.(condition) === true,
    orderBy: (terms) => orderAnswers() && inner.orderBy?.(terms) === true,
    navigation: (navigation) => navigationAnswers() && inner.navigation?.(navigation) === true,
    paging: given.paging && inner.paging === true,
  }
}

function inTurn(answers: readonly boolean[]): () => boolean {
  let turn = 0
  return () => answers[turn++ % answers.length] ?? false
}

/** The part of a provider that has one set. */
export function entitySetOf(provider: Provider, set: string): EntitySetProvider {
  const found = new Map(Object.entries<EntitySetProvider>(provider.entitySets)).get(set)
  if (found === undefined) throw new Error(`There is no entity set '${set}'.`)
  return found
}

/** All rows that a provider gives, in whatever form it gives them. */
export async function allRows(
  provider: EntitySetProvider,
  query: ReadQuery,
  call: ProviderCall,
): Promise<readonly Row[]> {
  const rows: Rows = await provider.read(query, call)
  if (Array.isArray(rows)) return (rows as readonly (Row | readonly Row[])[]).flat() as readonly Row[]
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
