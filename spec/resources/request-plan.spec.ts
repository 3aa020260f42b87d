import { fc, runs } from '../support/random.js'
import { ODataError } from '../../lib/errors/odata-error.js'
import { settingsOf } from '../../lib/options.js'
import { RequestPlans } from '../../lib/resources/request-plan.js'
import { protocolModel } from '../support/protocol-model.js'

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

  it('MUST be bounded', () => {
    const known = plans()
    const first = known.of('/Products(1)?n=0')
    for (let n = 1; n <= 600; n++) known.of(`/Products(1)?n=${String(n)}`)
    expect(known.of('/Products(1)?n=0').prepared).not.toBe(first.prepared)
  })
})
