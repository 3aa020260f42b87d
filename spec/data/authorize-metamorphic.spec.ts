import { fc, runs } from '../support/random.js'
import type { Authorize } from '../../lib/provider/authorize.js'
import { filter } from '../../lib/provider/authorize.js'
import type { ContractRows, PlainRow } from '../contracts/contract-data.js'
import { contractRows } from '../contracts/contract-data.js'
import { authorizeBy, ContractServices } from '../contracts/contract-service.js'
import { vocabularies } from '../contracts/contract-vocabulary.js'
import type { Handicap } from '../contracts/handicaps.js'
import { handicap, hindered, readingOnly, unhindered } from '../contracts/handicaps.js'
import { filterOn, functionRequest, requestOn } from '../contracts/random-requests.js'
import { contractMemory } from '../support/contract-memory.js'

const sets = Object.keys(vocabularies)

/** In milliseconds, for one property, on a machine with other load. */
const longest = 60_000

type Filters = Readonly<Record<string, string | undefined>>

/** A filter, or none, for each set. */
const filters: fc.Arbitrary<Filters> = fc
  .tuple(...sets.map((set) => fc.option(filterOn(set), { nil: undefined, freq: 1 })))
  .map((all) => Object.fromEntries(sets.map((set, index) => [set, all[index]])))

const requests = fc.array(fc.oneof({ weight: 6, arbitrary: requestOn(sets) }, functionRequest), {
  minLength: 1,
  maxLength: 5,
})

describe('A service whose application hides entities', () => {
  let services: ContractServices
  const memory = contractMemory()

  beforeAll(async () => {
    services = await ContractServices.start()
    services.mount('everything', memory, { pageSize: 0 })
  })

  afterAll(() => services.close())

  /** The rows that filters leave, as the unrestricted service sees them. */
  async function visibleRows(hidden: Filters): Promise<ContractRows> {
    const entries: [string, readonly PlainRow[]][] = []
    for (const [set, rows] of Object.entries(contractRows)) {
      entries.push([set, await visible(set, rows, hidden[set])])
    }
    return Object.fromEntries(entries)
  }

  async function visible(
    set: string,
    rows: readonly PlainRow[],
    text: string | undefined,
  ): Promise<readonly PlainRow[]> {
    if (text === undefined) return rows
    const all = await services.ids('everything', `/${set}`)
    const left = new Set(await services.ids('everything', `/${set}?$filter=${encodeURIComponent(text)}`))
    const ordered = await inOrderOfKey(set, rows, all)
    return ordered.filter((_row, index) => left.has(all[index] ?? ''))
  }

  /** Rows in the order in which the service lists them, which is that of their keys. */
  async function inOrderOfKey(
    set: string,
    rows: readonly PlainRow[],
    ids: readonly string[],
  ): Promise<readonly PlainRow[]> {
    const order = keyPositions.get(set) ?? (await positions(set, rows, ids))
    keyPositions.set(set, order)
    return order.map((index) => rows[index] ?? {})
  }

  const keyPositions = new Map<string, readonly number[]>()

  /** For each address the index of the row that has it, found by a provider that has no other row. */
  async function positions(
    set: string,
    rows: readonly PlainRow[],
    ids: readonly string[],
  ): Promise<readonly number[]> {
    const found = new Map<string, number>()
    for (const [index, row] of rows.entries()) {
      services.mount('single', contractMemory({ [set]: [row] }))
      const [id = ''] = await services.ids('single', `/${set}`)
      found.set(id, index)
    }
    return ids.map((id) => found.get(id) ?? -1)
  }

  async function expectAlike(
    texts: readonly string[],
    hidden: Filters,
    given: Handicap,
    authorize: Authorize,
    accept: string,
  ): Promise<void> {
    const options = { pageSize: 3 }
    services.mount('without', contractMemory(await visibleRows(hidden)), options)
    services.mount('restricted', hindered(memory, given), { ...options, authorize })
    for (const text of texts) {
      const expected = await services.comparablePages('without', text, { accept })
      expect(await services.comparablePages('restricted', text, { accept })).toEqual(expected)
    }
  }

  describe.each([
    ['JSON', 'application/json'],
    ['Atom', 'application/atom+xml,application/xml;q=0.9'],
  ])('in %s', (_format, accept) => {
    it(
      'MUST return the same bytes as a service without the hidden data',
      () =>
        fc.assert(
          fc.asyncProperty(requests, filters, (texts, hidden) =>
            expectAlike(texts, hidden, unhindered, authorizeBy(hidden), accept),
          ),
          { numRuns: runs(40) },
        ),
      longest,
    )

    it(
      'MUST do so whatever the provider leaves to the service',
      () =>
        fc.assert(
          fc.asyncProperty(requests, filters, handicap, (texts, hidden, given) =>
            expectAlike(texts, hidden, given, authorizeBy(hidden), accept),
          ),
          { numRuns: runs(40) },
        ),
      longest,
    )
  })

  it(
    'MUST do so for filters that are templates, nested templates, and templates with values',
    () =>
      fc.assert(
        fc.asyncProperty(requests, fc.integer({ min: -1, max: 6 }), (texts, rating) => {
          const hidden = {
            Products: `(Rating ge ${rating}) and (Name ne 'It''s' or Price eq null)`,
            Categories: `not (Name eq 'Wine')`,
          }
          const rated = filter`Rating ge ${rating}`
          const authorize: Authorize = ({ kind, entitySet }) => {
            if (kind === 'function') return undefined
            if (entitySet === 'Products') return filter`${rated} and (Name ne ${"It's"} or Price eq ${null})`
            return entitySet === 'Categories' ? filter`not ${filter`Name eq ${'Wine'}`}` : undefined
          }
          return expectAlike(texts, hidden, readingOnly, authorize, 'application/json')
        }),
        { numRuns: runs(30) },
      ),
    longest,
  )
})
