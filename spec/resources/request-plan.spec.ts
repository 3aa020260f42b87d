import { fc, runs } from '../support/random.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { settingsOf } from '../../lib/options.js'
import { RequestPlans } from '../../lib/resources/request-plan.js'
import { otherValues, withValues } from '../support/other-values.js'
import { protocolModel } from '../support/protocol-model.js'
import { randomCondition } from '../support/random-expressions.js'

const plans = (): RequestPlans<string> =>
  new RequestPlans(
    protocolModel,
    settingsOf({}, protocolModel),
    undefined,
    () => true,
    ({ kind }) => kind,
  )

/** Returns the prepared query of a URI, or its error. */
function prepared(known: RequestPlans<string>, text: string): unknown {
  try {
    const plan = known.of(text)
    known.check(plan, 'GET')
    return { target: plan.target, options: plan.options, query: plan.prepared.query }
  } catch (thrown) {
    if (thrown instanceof ODataError) return [thrown.code, thrown.message, thrown.details]
    throw thrown
  }
}

/** Plans that know the shape of every path with one key. */
function seasoned(queries: readonly string[]): RequestPlans<string> {
  const known = plans()
  for (const { path, entityType } of protocolModel.defaultContainer.entitySets) {
    const isText = entityType.key[0]?.type === 'Edm.String'
    for (const query of queries) prepared(known, `/${path}(${isText ? "'a'" : '1'})${query}`)
  }
  return known
}

const sets = fc.constantFrom(
  'Products',
  'Categories',
  'Lines',
  'Parties',
  'Photos',
  'Files',
  'Words',
  'Nothing',
)
const literals = fc.oneof(
  fc.nat().map(String),
  fc.constantFrom('1', '007', '-1', '+1', '1L', '1.5', '2147483647', '2147483648', '99999999999999999', ''),
  fc.string({ maxLength: 60 }).map((text) => `'${text.replaceAll("'", "''")}'`),
  fc.constantFrom(
    "''",
    "'a'",
    "'a''b'",
    "'",
    "'a/b'",
    "'a?b'",
    "'%41'",
    "'%'",
    'null',
    'true',
    "guid'x'",
    'ID=1',
  ),
)
const queries = ['', '?', '?$format=json', '?$select=ID', '?a=b', '?$top=1', '?$filter=ID eq 1']

describe('The plan of a request', () => {
  it('MUST be the same whether or not a similar path is cached, errors included', () => {
    const known = seasoned(queries)
    fc.assert(
      fc.property(sets, literals, fc.constantFrom(...queries), (set, literal, query) => {
        const text = `/${set}(${literal})${query}`
        expect(prepared(known, text)).toEqual(prepared(plans(), text))
      }),
      { numRuns: runs(500) },
    )
  })

  it('MUST share the bound query with paths that differ only in the key', () => {
    const known = seasoned([''])
    const [one, other] = ['/Products(1)', '/Products(2)'].map((text) => known.of(text))
    expect(one?.prepared).toBe(other?.prepared)
    expect(one?.target).not.toEqual(other?.target)
  })

  it.each(['/Products(1)/Name', '/Products(1)/', '//Products(1)', '/Products( 1 )', '/Products(ID=1)'])(
    'MUST be read as a whole for other paths: %s',
    (text) => {
      expect(prepared(seasoned(['']), text)).toEqual(prepared(plans(), text))
    },
  )

  it('MUST be the same whether or not a URI with other values is cached, errors included', () => {
    const known = plans()
    const paths = fc.constantFrom('Products', 'Products/$count', 'Categories(1)/Products', 'ByRating')
    const rest = fc.constantFrom('', '&$orderby=Name desc&$select=ID', '&$expand=Category', '&min=3', '&$x=1')
    const range = fc.constantFrom(
      '',
      '$skip=0&$top=20&',
      '$skip=40&',
      '$top=99999999999&',
      '$skip=-1&',
      '$top=1&',
    )
    fc.assert(
      fc.property(
        paths,
        randomCondition,
        rest,
        fc.array(fc.tuple(otherValues, range), { minLength: 2, maxLength: 4 }),
        fc.boolean(),
        (path, condition, options, variants, isEncoded) => {
          for (const [values, page] of variants) {
            const filter = withValues(condition, values)
            const text = isEncoded ? encodeURIComponent(filter) : filter.replaceAll('%', '%25')
            const uri = `/${path}?${page}$filter=${text}${options}`
            expect([uri, prepared(known, uri)]).toEqual([uri, prepared(plans(), uri)])
          }
        },
      ),
      { numRuns: runs(1000) },
    )
  })

  it('MUST share everything but the values with URIs that differ only in them', () => {
    const known = plans()
    const uris = [1, 2, 3].map((n) => `/Products?$filter=Price gt ${n}M&$orderby=Name&$skip=${n}0&$top=5`)
    const [first, other] = uris.map((uri) => {
      const plan = known.of(uri)
      known.check(plan, 'GET')
      return plan
    })
    expect(other?.target).toBe(first?.target)
    expect(other?.prepared.query?.orderBy).toBe(first?.prepared.query?.orderBy)
    expect(other?.prepared.query).toMatchObject({ skip: 20, filter: { right: { value: '2' } } })
    expect(first?.prepared.query).toMatchObject({ skip: 10, filter: { right: { value: '1' } } })
  })

  it('MUST share the filter of a count with that of a page', () => {
    const known = plans()
    const filterOf = (uri: string): unknown => {
      const plan = known.of(uri)
      known.check(plan, 'GET')
      return plan.prepared.query?.filter
    }
    for (const n of [7, 8]) {
      const count = filterOf(`/Products/$count?$filter=ID gt ${n}`)
      expect(count).toBeDefined()
      expect(filterOf(`/Products?$filter=ID gt ${n}&$top=1`)).toBe(count)
    }
  })

  it('MUST be bound again when the first URI with other values was invalid', () => {
    const known = plans()
    expect(prepared(known, '/Products?$filter=ID eq 1&$top=9999999999')).toHaveLength(3)
    for (const uri of ['/Products?$filter=ID eq 2&$top=3', '/Products?$filter=ID eq 4&$top=5'])
      expect(prepared(known, uri)).toEqual(prepared(plans(), uri))
  })

  it('MUST be cached for a URI that is requested again and again', () => {
    const known = plans()
    const uri = '/Products?$filter=ID eq 1'
    for (let n = 0; n < 4; n++) known.of(uri)
    expect(known.of(uri)).toBe(known.of(uri))
  })

  it('MUST be bounded', () => {
    const known = plans()
    const first = known.of('/Products(1)?n=0')
    for (let n = 1; n <= 600; n++) known.of(`/Products(1)?n=${String(n)}`)
    expect(known.of('/Products(1)?n=0').prepared).not.toBe(first.prepared)
  })
})
