import { sql } from 'kysely'
import type { EdmModel, EntitySet } from '../../lib/edm/edm-model.js'
import type { ServiceOptions } from '../../lib/index.js'
import { readEdmx, writeEdmx } from '../../lib/index.js'
import type { PlainRow } from '../contracts/contract-data.js'
import { Random, seedOf } from '../fuzz/mutation/random.js'
import { rowOf } from '../support/expected-groups.js'
import { fc } from '../support/random.js'
import { randomData } from '../support/random-services/random-data.js'
import { randomModel } from '../support/random-services/random-model.js'
import { fillDatabase, rowsWithLinks } from '../support/random-services/random-providers.js'
import { RandomRequests } from '../support/random-services/random-requests.js'
import { salesModel, salesOptions, saleTables } from '../support/services/sales-service.js'
import { alikeModel } from '../support/sql/alike-model.js'
import { alikeRequest } from '../support/sql/alike-requests.js'
import type { AlikeRows } from '../support/sql/alike-rows.js'
import { alikeRows } from '../support/sql/alike-rows.js'
import { alikeMemoryRows, fillAlikeDatabase } from '../support/sql/alike-services.js'
import type { AnyDatabase, DatabaseKind } from '../support/sql/model-tables.js'

export const serviceRoot = 'http://compare.test/'
export const users = ['ada', 'ben', 'cyd', 'unknown'] as const

/** The rights that `authorize` returns, by user and entity set. */
export type Rights = Readonly<Record<string, Readonly<Record<string, SetRights>>>>

interface SetRights {
  readonly filter: string | undefined
  readonly hidden: readonly string[] | undefined
  readonly readonly: readonly string[]
  readonly denied: readonly string[]
  readonly isAsync: boolean
}

export type StoreKind = 'memory' | DatabaseKind
type Rows = Readonly<Record<string, readonly PlainRow[]>>

/** The parameters of a comparison. */
export interface Task {
  readonly packages: readonly [before: string, after: string]
  readonly servers: Readonly<Record<string, string | undefined>>
  readonly kinds: readonly StoreKind[]
  readonly folder: string
  readonly worlds: number
  readonly steps: number
  readonly seed: number
  readonly most: number
}

/** A message to a process with a build: the world that it serves next, or a table whose rows it returns. */
export type ServiceMessage = { readonly kind: StoreKind; readonly index: number } | { readonly table: string }

/** A model with data, and the requests of its clients. */
export interface World {
  readonly model: EdmModel
  readonly memory: Rows
  readonly options: ServiceOptions<string>
  /** Rows with values for changes; undefined if nothing can be changed. */
  readonly otherRows: Rows | undefined
  readonly requests: RandomRequests
  readonly fill: (db: AnyDatabase, kind: DatabaseKind) => Promise<void>
  /** Returns path and query of a read, encoded. */
  readonly read: () => string
  /** Returns a filter that `authorize` returns for a set. */
  readonly filter: (set: EntitySet) => string
}

/** Returns the world with an index: groups, large tables with all types, or a random model. Equal for equal seeds. */
export function createWorld(
  seed: number,
  kind: StoreKind,
  index: number,
): { readonly random: Random; readonly world: World; readonly rights: Rights } {
  const random = new Random(seedOf(seed, index))
  let world: World
  if (index % 4 === 0) world = wideWorld(random, kind === 'memory' ? 'sqlite' : kind)
  else world = index % 4 === 1 ? salesWorld(random) : randomWorld(random)
  return { random, world, rights: randomRights(random, world) }
}

function searchOf(model: EdmModel): NonNullable<ServiceOptions['search']> {
  const sets = model.defaultContainer.entitySets.map(({ name, entityType }) => {
    const strings = entityType.properties.filter(({ type }) => type === 'Edm.String')
    return [name, strings.map((property) => property.name)] as const
  })
  return Object.fromEntries(sets.filter(([, names]) => names.length > 0))
}

function randomWorld(random: Random): World {
  const model = randomModel(random)
  const data = randomData(random, model)
  const requests = new RandomRequests(random, model, data)
  return {
    ...{ model, requests, options: { search: searchOf(model) } },
    memory: rowsWithLinks(model, data, 'one'),
    otherRows: Object.fromEntries(randomData(random, model).rows),
    fill: (db, kind) => fillDatabase(db, kind, model, data),
    read: () => requests.request().slice(1),
    filter: (set) => requests.filter(set),
  }
}

/** The number of copies of the rows: pages of more than 100 entities are serialized differently. */
const COPIES = 12
const wideFilters = ['ID ne 2', 'ID gt 5', "Name ge 'a' or Name eq null", 'ID mod 3 ne 1'] as const

function wideWorld(random: Random, kind: DatabaseKind): World {
  const edmx = writeEdmx(alikeModel())
  const model = readEdmx(edmx.replace('Name="Rating" Type="Edm.Int16"', '$& ConcurrencyMode="Fixed"'))
  const sample = <T>(values: fc.Arbitrary<T>, numRuns: number): T[] =>
    fc.sample(values, { numRuns, seed: random.below(2 ** 31) })
  const [first, other] = sample(alikeRows(kind), 2).map((rows) => (kind === 'mysql' ? storable(rows) : rows))
  if (first === undefined || other === undefined) throw new Error('There are no rows.')
  const rows = copies(first)
  const plain = ({ Categories, Products, Manuals }: AlikeRows): Rows => ({ Categories, Products, Manuals })
  const requests = new RandomRequests(random, model, {
    rows: new Map(Object.entries(plain(rows))),
    links: new Map(),
  })
  const reads = sample(alikeRequest, 500)
  const ids = wideFilters.filter((one) => !one.includes('Name'))
  return {
    ...{ model, requests, memory: alikeMemoryRows(rows), otherRows: plain(other) },
    options: { search: { Products: ['Name', 'Category/Name'], Categories: ['Name', 'Note'] } },
    fill: (db, database) => fillAlikeDatabase(db, database, model, rows),
    read: () => (random.below(3) === 0 ? requests.request() : random.oneOf(['/', ...reads])).slice(1),
    filter: ({ name }) =>
      name === 'Manuals'
        ? 'Edition ne 1'
        : ((random.below(2) === 0 ? ids : wideFilters)[random.below(3)] ?? ''),
  }
}

function copies({ Products, successions, ...others }: AlikeRows): AlikeRows {
  const shifts = Array.from({ length: COPIES }, (_, copy) => copy * Products.length)
  return {
    ...others,
    Products: shifts.flatMap((by) => Products.map((row) => ({ ...row, ID: Number(row.ID) + by }))),
    successions: shifts.flatMap((by) => successions.map(([one, next]) => [one + by, next + by] as const)),
  }
}

/** Replaces numbers that MySQL cannot store: infinite ones, and those with too many digits. */
function storable<T>(value: T): T {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 7 as T
  if (value === '100000000000000000000') return '7' as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, storable(one as unknown)])) as T
}

function salesWorld(random: Random): World {
  const maybe = <T>(value: T): T | null => (random.below(6) === 0 ? null : value)
  const Sales = Array.from({ length: 60 }, () =>
    rowOf({
      Country: maybe(random.oneOf(['DE', 'de', 'FR', 'É', "it's", ''])),
      Customer: maybe(random.oneOf(['a', 'A', 'b', 'a&b'])),
      Currency: maybe(random.oneOf(['EUR', 'EUR', 'USD'])),
      cents: maybe(random.below(200_000) - 100_000),
      Quantity: maybe(random.below(9)),
    }),
  )
  const Regions = ['DE', 'FR', 'IT'].map((Name) => ({ Name }))
  const requests = new RandomRequests(random, salesModel, { rows: new Map(), links: new Map() })
  return {
    ...{ model: salesModel, requests, memory: { Sales, Regions }, otherRows: undefined },
    options: { ...(salesOptions as ServiceOptions<string>), search: { Sales: ['Country', 'Customer'] } },
    read: () => groupRequest(random),
    filter: ({ name }) => (name === 'Sales' ? "Customer ne 'b'" : "Name ne 'FR'"),
    async fill(db, kind) {
      for (const statement of saleTables(kind)) await sql.raw(statement).execute(db)
      await db.insertInto('Sales').values(Sales).execute()
      await db.insertInto('Regions').values(Regions).execute()
    },
  }
}

/** Returns a request for a page of groups, or for their number. */
function groupRequest(random: Random): string {
  const names = ['Country', 'Customer', 'Currency', 'Amount', 'Mean', 'Best', 'Least', 'Quantity', 'Items']
  const some = (from: readonly string[], times: number): string[] =>
    from.filter(() => random.below(times) === 0)
  const selected = some(names, 3)
  const options = {
    $select: selected.join(),
    $orderby: some(selected, 2)
      .map((name) => `${name}${random.oneOf(['', ' desc'])}`)
      .join(),
    $filter: random.oneOf(['', '', "Country eq 'DE'", 'Quantity gt 3', "Currency eq 'EUR' and Amount lt 0"]),
    $inlinecount: random.oneOf(['', 'allpages']),
    $top: random.oneOf(['', '', '0', '2', '50']),
    $skip: random.oneOf(['', '', '1', '5']),
  }
  const path = random.oneOf(['Sales', 'Sales', 'Sales', 'Sales/$count', "Regions('DE')/Sales"])
  const pairs = Object.entries(options).filter(
    ([name, value]) => value !== '' && !(name === '$inlinecount' && path.endsWith('$count')),
  )
  return `${path}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/** Returns random rights of the users on the sets of a world. */
function randomRights(random: Random, { model, filter }: World): Rights {
  const setRights = (set: EntitySet): SetRights => {
    const names = set.entityType.properties
      .filter(({ isKey, concurrencyMode, nullable }) => !isKey && concurrencyMode !== 'Fixed' && nullable)
      .map(({ name }) => name)
    const name = names[random.below(names.length || 1)]
    const kinds = ['read', 'count', 'insert', 'update', 'delete', 'link', 'unlink']
    return {
      filter: random.below(3) === 0 ? undefined : filter(set),
      hidden: name === undefined || random.below(2) === 0 ? undefined : [name],
      readonly: names.filter(() => random.below(4) === 0),
      denied: kinds.filter(() => random.below(20) === 0),
      isAsync: random.below(3) === 0,
    }
  }
  const rightsOf = (): Rights[string] =>
    Object.fromEntries(
      model.defaultContainer.entitySets
        .filter(() => random.below(4) > 0)
        .map((set) => [set.name, setRights(set)]),
    )
  return Object.fromEntries(users.map((user) => [user, rightsOf()]))
}
