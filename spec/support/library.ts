import type { Express } from 'express'
import express from 'express'
import request from 'supertest'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EdmModel, EntityType } from '../../lib/edm/edm-model.js'
import type { ODataError } from '../../lib/errors/odata-error.js'
import { ExpressionCompiler } from '../../lib/evaluation/compile-expression.js'
import { withoutNavigation } from '../../lib/evaluation/evaluation-context.js'
import { RowOrder } from '../../lib/evaluation/order.js'
import type { Row } from '../../lib/evaluation/row.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { EntitySetProvider, Provider, ReadQuery, RelatedTo } from '../../lib/provider/provider.js'
import type { RenderedBatch, RenderedExpansion, Rendering } from '../../lib/provider/rendering.js'
import type { ExpandedRows } from '../../lib/provider/row-batch.js'

/** Books and the shelves that they stand on, for providers that write entities themselves. */
export const libraryModel: EdmModel = defineModel({
  namespace: 'Library',
  entityTypes: {
    Shelf: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Room: edm.String() },
      navigationProperties: { Books: { relationship: 'ShelfBooks', fromRole: 'Shelf', toRole: 'Book' } },
    },
    Book: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Title: edm.String(),
        Pages: edm.Int32(),
        ShelfID: edm.Int32(),
      },
      navigationProperties: { Shelf: { relationship: 'ShelfBooks', fromRole: 'Book', toRole: 'Shelf' } },
    },
  },
  associations: {
    ShelfBooks: {
      ends: { Shelf: { type: 'Shelf', multiplicity: '0..1' }, Book: { type: 'Book', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Shelf', properties: ['ID'] },
        dependent: { role: 'Book', properties: ['ShelfID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Shelves: { entityType: 'Shelf' }, Books: { entityType: 'Book' } },
    associationSets: { ShelfBooks: { association: 'ShelfBooks', ends: { Shelf: 'Shelves', Book: 'Books' } } },
    functionImports: { All: { returnType: 'Collection(Book)', entitySet: 'Books', httpMethod: 'GET' } },
  },
} as const)

const titles = ['Ödland', 'a', '<&">', ' blank ', null, '😀 €', 'a', 'Z', 'x\n\ty', '日本', 'b', 'ß']

/** The rows by entity set. */
export const libraryRows: Readonly<Record<string, readonly Row[]>> = {
  Shelves: [1, 2, 3].map((ID) => ({ ID, Room: ID === 2 ? null : `Räum ${ID}` })),
  Books: titles.map((Title, index) => ({
    ID: index + 1,
    Title,
    Pages: 50 * index,
    ShelfID: index % 4 === 0 ? null : index % 4,
  })),
}

/** What a query asks for of the library. */
export function libraryRowsFor(query: ReadQuery): readonly Row[] {
  const { entitySet, source, filter, orderBy = [], seek, skip = 0, top = Number.POSITIVE_INFINITY } = query
  const type = typeOf(entitySet)
  const order = new RowOrder(orderBy, type, withoutNavigation)
  const isTrue =
    filter === undefined
      ? () => true
      : new ExpressionCompiler(type, withoutNavigation).condition(filter).isTrue
  const sorted = order.sorted(relatedTo(entitySet, source).filter(isTrue))
  const key = seek === undefined ? undefined : order.keyAt(seek, orderBy)
  const behind = key === undefined ? sorted : sorted.filter((row) => order.compareRow(row, key) > 0)
  return behind.slice(skip, skip + top)
}

function typeOf(entitySet: string): EntityType {
  const set = libraryModel.defaultContainer.entitySet(entitySet)
  if (set === undefined) throw new Error(`There is no entity set '${entitySet}'.`)
  return set.entityType
}

function relatedTo(entitySet: string, source: RelatedTo | undefined): readonly Row[] {
  const rows = libraryRows[entitySet] ?? []
  if (source === undefined) return rows
  const { row } = source
  return entitySet === 'Books'
    ? rows.filter(({ ShelfID }) => ShelfID === row.ID)
    : rows.filter(({ ID }) => ID === row.ShelfID)
}

/** A set of the library that takes every part of a query. */
export function librarySet(entitySet: string): EntitySetProvider {
  return {
    read: libraryRowsFor,
    count: (query) => libraryRowsFor(query).length,
    readRelated: ({ sources: { rows, ...from }, ...query }) =>
      rows.map((row) => libraryRowsFor({ ...query, entitySet, source: { ...from, row } })),
    pushdown: { filter: () => true, orderBy: () => true, navigation: () => true, paging: true },
  }
}

/** The library with other parts in the place of some; they may be anything, as JavaScript would have it. */
export function library(
  books: { readonly [Member in keyof EntitySetProvider]?: unknown } = {},
  shelves: typeof books = {},
): Provider {
  return {
    entitySets: {
      Books: { ...librarySet('Books'), ...books } as EntitySetProvider,
      Shelves: { ...librarySet('Shelves'), ...shelves } as EntitySetProvider,
    },
    functions: { All: () => libraryRows.Books },
  }
}

/**
 * The page that a query asks for, in batches.
 *
 * @param plan how many entities are in each batch; negative for those that are left to the service, which ones are
 *   repeated until the end
 * @returns undefined when more than one level is shown inline
 */
export function renderedIn(
  plan: readonly number[],
  query: ReadQuery,
  rendering: Rendering,
): readonly RenderedBatch[] | undefined {
  if (rendering.expansions.some(({ expansions }) => expansions.length > 0)) return undefined
  const { top = Number.POSITIVE_INFINITY } = query
  const found = libraryRowsFor({ ...query, top: top + 1 })
  const rows = found.slice(0, top)
  const batches: RenderedBatch[] = []
  let start = 0
  for (let index = 0; start < rows.length; index++) {
    const size = plan[index % plan.length] ?? 1
    const some = rows.slice(start, start + Math.abs(size))
    batches.push(size < 0 ? { rows: some } : writtenBatch(some, rendering))
    start += some.length
  }
  const [last, ...others] = batches.reverse()
  const lastOfMore = rendering.mayContinue && found.length > top ? rows.at(-1) : undefined
  return last === undefined ? [] : [...others.reverse(), { ...last, lastOfMore }]
}

/** Entities that are written, in pieces that end anywhere, within characters too. */
export function writtenBatch(rows: readonly Row[], rendering: Rendering): RenderedBatch {
  const expansions = rendering.expansions.map((one) => expandedRows(rows, one))
  const batch = { rows, expansions }
  const text = rows.map((_row, index) => rendering.write(batch, index)).join(rendering.separator)
  const bytes = Buffer.from(text)
  const pieces = [0, 1, 2].map((third) =>
    bytes.subarray((bytes.length * third) / 3, (bytes.length * (third + 1)) / 3),
  )
  const inlineCount = expansions.reduce((sum, one) => sum + one.batch.rows.length, 0)
  return { pieces, count: rows.length, inlineCount }
}

function expandedRows(rows: readonly Row[], expansion: RenderedExpansion): ExpandedRows {
  const { entitySet, navigation, source, filter, limit } = expansion
  const related: Row[] = []
  const starts = [0]
  const cut = new Set<number>()
  for (const [index, row] of rows.entries()) {
    const found = libraryRowsFor({ entitySet, source: { entitySet: source, navigation, row }, filter })
    if (found.length > limit) cut.add(index)
    related.push(...found.slice(0, limit))
    starts.push(related.length)
  }
  return { batch: { rows: related, expansions: [] }, starts, cut }
}

export interface LibraryAnswer {
  readonly status: number
  readonly type: string
  readonly version: string | undefined
  /** One character for each byte; times of the answer left out. */
  readonly text: string
  /** What `onError` was told: what caused the errors, or else their own text. */
  readonly told: readonly string[]
}

/** What a service on a library answers, over HTTP. */
export async function askLibrary(
  provider: Provider,
  path: string,
  options: ODataV2Options = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<LibraryAnswer> {
  const told: string[] = []
  const onError = (error: ODataError): void => {
    told.push(error.cause instanceof Error ? error.cause.message : error.message)
  }
  const response = await request(libraryApp(provider, { onError, ...options }))
    .get(path)
    .set({ Host: 'library.example', Accept: 'application/json', ...headers })
    .responseType('blob')
  const { status, type, headers: received } = response
  const { dataserviceversion: version } = received as Record<string, string | undefined>
  const text = (response.body as Buffer).toString('latin1').replace(/<updated>[^<]*/g, '<updated>')
  return { status, type, version, text, told }
}

export function libraryApp(provider: Provider, options: ODataV2Options = {}): Express {
  return express().use('/', odataV2(libraryModel, provider, options))
}
