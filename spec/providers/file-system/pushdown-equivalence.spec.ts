import { fc, runs } from '../../support/random.js'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { ODataError } from '../../../lib/errors/odata-error.js'
import type { FileEntitySet } from '../../../lib/providers/file-system/file-entity-set.js'
import { fileModel } from '../../../lib/providers/file-system/file-model.js'
import type { EntitySetProvider, Provider, Pushdown } from '../../../lib/provider/provider.js'
import type { RowBatch } from '../../../lib/data/row-batch.js'
import type { QueryLimits } from '../../../lib/query/bind-query-options.js'
import { bindQueryOptions } from '../../../lib/query/bind-query-options.js'
import { bindResourcePath } from '../../../lib/query/bind-resource-path.js'
import { isCollection } from '../../../lib/query/request-target.js'
import { parseQueryOptions } from '../../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../../lib/uri/split-resource-path.js'
import { plant, randomTree } from './random-tree.js'
import { accessTo, bruteForce, filesOf, providerOf, temporaryDirectory } from './support.js'

const below = temporaryDirectory()
/** Another instance of the model of the provider. */
const model = readEdmx(writeEdmx(fileModel))

const limits: QueryLimits = {
  expressionDepth: 100,
  expressionNodes: 1000,
  expandDepth: 5,
  expandPaths: 20,
  orderByTerms: 20,
  top: 1_000_000,
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function conditionOn(paths: readonly string[]): fc.Arbitrary<string> {
  const path = fc.constantFrom(...paths).map(quoted)
  const comparison = fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge')
  const simple = fc.oneof(
    fc.tuple(comparison, path).map(([operator, text]) => `path ${operator} ${text}`),
    fc.tuple(path, comparison).map(([text, operator]) => `${text} ${operator} path`),
    path.map((text) => `startswith(path,${text})`),
    path.map((text) => `startswith(path,${text}) eq true`),
    path.map((text) => `true eq startswith(path,${text})`),
    path.map((text) => `startswith(path,${text}) eq false`),
    fc.constantFrom(
      'isDirectory',
      'not isDirectory',
      'isDirectory eq null',
      'size gt 5',
      'size eq null',
      'lastModified ne null',
      "substringof('a',name)",
      'length(name) gt 1',
      "name ge 'a'",
      'Parent/path ne null',
      "Parent/name eq 'a'",
      'Parent/Parent/isDirectory',
      'true',
      'false',
    ),
  )
  return fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      simple,
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) and (${b})`),
      fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) or (${b})`),
      tie('condition').map((a) => `not (${a})`),
    ),
  })).condition
}

function requestOn(paths: readonly string[]): fc.Arbitrary<string> {
  const key = fc
    .constantFrom(...paths, '/nothing', '/a/nothing')
    .map((path) => `Files(${encodeURIComponent(quoted(path))})`)
  const resource = fc.oneof(
    { weight: 3, arbitrary: fc.constant('Files') },
    { weight: 3, arbitrary: key.map((entity) => `${entity}/Files`) },
    key.map((entity) => `${entity}/Parent/Files`),
    fc.tuple(key, key).map(([a, b]) => `${a}/Files(${b.slice('Files('.length)}/Files`),
  )
  const option = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc
      .option(values, { nil: '', freq: 2 })
      .map((value) => (value === '' ? '' : `&${name}=${encodeURIComponent(value)}`))
  const order = fc.constantFrom(
    'path',
    'path desc',
    'path,path desc',
    'name',
    'name desc,path desc',
    'size desc',
    'isDirectory,size',
    'Parent/name desc',
  )
  const skipToken = fc.array(fc.constantFrom(...paths, '', 'zzz').map(quoted), { minLength: 1, maxLength: 3 })
  return fc.oneof(
    fc
      .tuple(
        resource,
        option('$filter', conditionOn(paths)),
        option('$orderby', order),
        option('$top', fc.nat(12).map(String)),
        option('$skip', fc.nat(6).map(String)),
        option('$inlinecount', fc.constant('allpages')),
        option('$select', fc.constantFrom('path', 'name,isDirectory', 'size', '*')),
        option('$expand', fc.constantFrom('Parent', 'Files', 'Parent/Parent,Files/Files')),
      )
      .map(([path, ...options]) => `/${path}?${options.join('').slice(1)}`),
    fc
      .tuple(
        resource,
        fc.constantFrom('', '&$orderby=path', '&$orderby=path%20desc', '&$orderby=path,path%20desc'),
        skipToken,
      )
      .map(
        ([path, orderBy, token]) => `/${path}?$skiptoken=${encodeURIComponent(token.join(','))}${orderBy}`,
      ),
    fc
      .tuple(resource, option('$filter', conditionOn(paths)))
      .map(([path, filter]) => `/${path}/$count?${filter.slice(1)}`),
  )
}

/** The combined pages of a request. */
async function resultOf(provider: Provider, pageSize: number, request: string): Promise<unknown> {
  const access = accessTo(provider, pageSize)
  try {
    const { segments, query } = splitRelativeUri(request)
    const received = parseQueryOptions(query)
    const target = bindResourcePath(segments, model, received)
    if (target.kind === 'EntityCount' && isCollection(target.of)) {
      const counted = bindQueryOptions(received, target, target.of.set, model, limits)
      return await access.count(target.of, await access.authorize(target.of, counted, true))
    }
    if (target.kind !== 'EntitySet') throw new Error(request)
    const { collection } = target
    let requested = bindQueryOptions(received, target, collection.set, model, limits)
    const pages: unknown[] = []
    for (;;) {
      const page = await access.page(collection, await access.authorize(collection, requested))
      const rows: unknown[] = []
      for (let batch = await page.next(); batch !== undefined; batch = await page.next()) {
        for (let index = 0; index < batch.rows.length; index++) rows.push(plain(batch, index, index + 1))
      }
      const next = page.hasMore ? await page.nextPosition() : undefined
      pages.push({ rows, next, total: page.inlineCount })
      if (next === undefined) return pages
      const top = requested.top === undefined ? undefined : requested.top - page.count
      requested = { ...requested, seek: next, skip: 0, top }
    }
  } catch (error) {
    if (error instanceof ODataError) return error.code
    throw error
  }
}

/** Rows with expanded entities. Sizes and times can be missing if they are not selected. */
function plain({ rows, expansions }: RowBatch, from = 0, to = rows.length): unknown {
  return rows.slice(from, to).map(({ path, name, isDirectory }, index) => ({
    row: { path, name, isDirectory },
    inline: expansions.map(({ batch, offsets, truncated }) => ({
      related: plain(batch, offsets[from + index], offsets[from + index + 1]),
      isTruncated: truncated.has(from + index),
    })),
  }))
}

/** A provider of the same files with fewer capabilities. It follows navigation, which the service cannot. */
function weakened(
  files: FileEntitySet,
  parts: { readonly orderBy: boolean; readonly paging: boolean; readonly filter: boolean },
): Provider {
  const pushdown: Pushdown = {
    navigation: () => true,
    paging: parts.paging,
    ...(parts.orderBy && { orderBy: (terms) => files.pushdown.orderBy?.(terms) ?? false }),
    ...(parts.filter && { filter: (condition) => files.pushdown.filter?.(condition) ?? false }),
  }
  const weak: EntitySetProvider = {
    pushdown,
    read: (query, call) => files.read(query, call),
    readByKey: ({ path }, query, call) => files.readByKey({ path }, query, call),
  }
  return { entitySets: { Files: weak } }
}

const nothing = { orderBy: false, paging: false, filter: false }

describe('The file provider', () => {
  it('MUST return the same results as the service without push-down', () =>
    fc.assert(
      fc.asyncProperty(randomTree, fc.nat(), fc.integer({ min: 1, max: 9 }), async (tree, seed, pageSize) => {
        const root = plant(tree, below)
        const files = filesOf(root)
        const weak = weakened(files, nothing)
        for (const request of fc.sample(requestOn(bruteForce(root)), { numRuns: runs(12), seed })) {
          const expected = await resultOf(weak, pageSize, request)
          expect([request, await resultOf(providerOf(files), pageSize, request)]).toEqual([request, expected])
        }
      }),
      { numRuns: runs(60) },
    ))

  it('MUST return the same results for every subset of pushed-down options', () =>
    fc.assert(
      fc.asyncProperty(
        randomTree,
        fc.nat(),
        fc.record({ orderBy: fc.boolean(), paging: fc.boolean(), filter: fc.boolean() }),
        async (tree, seed, parts) => {
          const root = plant(tree, below)
          const files = filesOf(root)
          for (const request of fc.sample(requestOn(bruteForce(root)), { numRuns: runs(8), seed })) {
            const expected = await resultOf(weakened(files, parts), 4, request)
            expect([request, await resultOf(providerOf(files), 4, request)]).toEqual([request, expected])
          }
        },
      ),
      { numRuns: runs(40) },
    ))

  it.each([
    ['path', true],
    ['path desc', true],
    ['path desc,path', true],
    ['name', false],
    ['Parent/path', false],
    ['size,path', false],
  ])('MUST sort by %s itself: %s', (text, accepted) => {
    const set = model.defaultContainer.entitySets[0]
    if (set === undefined) throw new Error('There is no set.')
    const options = parseQueryOptions(`$orderby=${encodeURIComponent(text)}`)
    const target = { kind: 'EntitySet', collection: { kind: 'EntitySet', set } } as const
    const { orderBy } = bindQueryOptions(options, target, set, model, limits)
    expect(filesOf(below).pushdown.orderBy?.(orderBy)).toBe(accepted)
  })

  it.each([
    ["path eq '/a'", true],
    ["startswith(name,'a') and not isDirectory", true],
    ['1 eq 1', true],
    ['size gt 1', false],
    ["name eq 'a' or size gt 1", false],
    ["Parent/name eq 'a'", false],
    ['Parent ne null', false],
  ])('MUST evaluate %s itself: %s', (text, accepted) => {
    const set = model.defaultContainer.entitySets[0]
    if (set === undefined) throw new Error('There is no set.')
    const options = parseQueryOptions(`$filter=${encodeURIComponent(text)}`)
    const target = { kind: 'EntitySet', collection: { kind: 'EntitySet', set } } as const
    const { filter } = bindQueryOptions(options, target, set, model, limits)
    expect(filter && filesOf(below).pushdown.filter?.(filter)).toBe(accepted)
  })
})
