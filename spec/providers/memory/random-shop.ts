import { fc } from '../../support/random.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { shopModel } from './shop-model.js'

type GivenRow = Record<string, unknown>

/** Two sets whose entities are linked without a foreign key. The data can have the links at either end. */
interface LinkKind {
  readonly name: LinkName
  readonly from: readonly [set: SetName, navigation: string, isCollection: boolean]
  readonly to: readonly [set: SetName, navigation: string | undefined, isCollection: boolean]
}

const linkKinds: readonly LinkKind[] = [
  { name: 'category', from: ['Products', 'Category', false], to: ['Categories', 'Products', true] },
  { name: 'tags', from: ['Products', 'Tags', true], to: ['Tags', 'Products', true] },
  { name: 'favourite', from: ['Parties', 'Favourite', false], to: ['Products', undefined, true] },
  { name: 'passport', from: ['Parties', 'Passport', false], to: ['Passports', 'Holder', false] },
]

const keys = {
  Categories: 'ID',
  Products: 'Code',
  Tags: 'T',
  Parties: 'Id',
  Passports: 'Issued',
} as const

type SetName = keyof typeof keys
type LinkName = 'category' | 'tags' | 'favourite' | 'passport'
type Pair = readonly [from: GivenRow, to: GivenRow]

/** Random data before links are added to the rows. */
export interface World {
  readonly rows: Readonly<Record<SetName | 'Lines', readonly GivenRow[]>>
  readonly links: Readonly<Record<LinkName, readonly Pair[]>>
  /** Which side writes a link down. */
  readonly sides: readonly boolean[]
}

const names = ['a', 'b', 'B', 'ab', 'é', '\u{1F600}', '\uFFFD', '']
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 })
const name = orNull(fc.constantFrom(...names))
const instant = fc.constantFrom('2020-01-01T00:00:00', '2020-01-01T00:00:00.5', '2020-01-01T00:00:00.5000001')
const many = <T>(row: fc.Arbitrary<T>, selector: (row: T) => unknown, maxLength = 7) =>
  fc.uniqueArray(row, { selector, minLength: 3, maxLength, size: 'max' })

const sets = {
  Categories: many(
    fc.record(
      { ID: fc.integer({ min: 1, max: 6 }), Name: name, ParentID: orNull(fc.integer({ min: 1, max: 6 })) },
      { requiredKeys: ['ID'] },
    ),
    ({ ID }) => ID,
  ),
  Products: many(
    fc.record(
      {
        Code: fc.constantFrom('', 'a', 'p1', 'p2', 'p3', 'B', '\u{1F600}', '\uFFFD'),
        Name: name,
        Price: orNull(fc.constantFrom('1.5', '1.50', 2, '10', '-3')),
        Stock: orNull(fc.constantFrom(1, 2n, '3', '9007199254740993')),
        Weight: orNull(fc.constantFrom(0, 1, 2.5, Number.NaN, Number.POSITIVE_INFINITY)),
        Active: orNull(fc.boolean()),
        Released: orNull(fc.oneof(instant, fc.constant(new Date('2020-01-01T00:00:00.5Z')))),
        Picture: orNull(fc.uint8Array({ maxLength: 2 })),
        Dims: fc.record({ W: orNull(fc.constantFrom(1, 2)), Unit: name }, { requiredKeys: [] }),
      },
      { requiredKeys: ['Code'] },
    ),
    ({ Code }) => Code,
    10,
  ),
  Tags: many(fc.record({ T: fc.constantFrom(1, 2n, '3', 4), Name: name }, { requiredKeys: ['T'] }), ({ T }) =>
    Number(T),
  ),
  Lines: many(
    fc.record(
      {
        Order: fc.integer({ min: 1, max: 3 }),
        No: fc.integer({ min: -2, max: 2 }),
        ProductCode: orNull(fc.constantFrom('p1', 'p2', 'a', 'missing')),
        Amount: orNull(fc.constantFrom(0.1, 0.5, 3)),
        Opens: orNull(fc.constantFrom('09:00', '09:00:00', '10:30:00.5')),
      },
      { requiredKeys: ['Order', 'No'] },
    ),
    ({ Order, No }) => `${Order}/${No}`,
    12,
  ),
  Parties: many(
    fc.record(
      { Id: guid(), Name: name, Age: orNull(fc.integer({ min: 1, max: 3 })), isPerson: fc.boolean() },
      { requiredKeys: ['Id', 'isPerson'] },
    ),
    ({ Id }) => Id.toLowerCase(),
  ).map((parties) =>
    parties.map(({ isPerson, Age, ...party }) =>
      isPerson ? { $type: 'Shop.Person', ...party, ...(Age === undefined ? {} : { Age }) } : party,
    ),
  ),
  Passports: many(
    fc.record({ Issued: instant, Country: name }, { requiredKeys: ['Issued'] }),
    ({ Issued }) => Issued,
  ),
}

function guid() {
  return fc.constantFrom(
    ...['1', '2', 'a', 'B', 'f'].map((digit) => `${digit.repeat(8)}-0000-0000-0000-000000000000`),
  )
}

/** Random data for {@link shopModel}. */
export const world: fc.Arbitrary<World> = fc
  .tuple(
    fc.record(sets),
    fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
    fc.array(fc.boolean(), { minLength: 5 }),
  )
  .map(([rows, numbers, sides]) => ({ rows, links: linksBetween(rows, numbers), sides }))

function linksBetween(rows: World['rows'], numbers: readonly number[]): World['links'] {
  const pick = (set: SetName, index: number): GivenRow | undefined =>
    rows[set][(numbers[index % numbers.length] ?? 0) % (rows[set].length + 1)]
  const pairs = (from: readonly GivenRow[], set: SetName, shift: number): Pair[] =>
    from.flatMap((row, index) => {
      const to = pick(set, index + shift)
      return to === undefined ? [] : [[row, to] as const]
    })
  const people = rows.Parties.filter(({ $type }) => $type !== undefined)
  const seen = new Set<GivenRow>()
  return {
    category: pairs(rows.Products, 'Categories', 0),
    tags: distinct([...pairs(rows.Products, 'Tags', 3), ...pairs(rows.Products.slice(1), 'Tags', 8)]),
    favourite: pairs(people, 'Products', 5),
    passport: pairs(people, 'Passports', 7).filter(([, to]) => !seen.has(to) && seen.add(to)),
  }
}

function distinct(pairs: readonly Pair[]): Pair[] {
  return pairs.filter(
    ([from, to], index) => pairs.findIndex((one) => one[0] === from && one[1] === to) === index,
  )
}

/** The provider under test, whose data has each link at one end only. */
export function shopProvider({ rows, links, sides }: World): Provider<EdmModel> {
  const copies = new Map(Object.values(rows).flatMap((list) => list.map((row) => [row, { ...row }])))
  let turn = 0
  for (const { name, from, to } of linkKinds) {
    for (const [source, target] of links[name]) {
      const fromSource = to[1] === undefined || sides[turn++ % sides.length] === true
      if (fromSource) addKey(copies.get(source) ?? {}, from[1], from[2], target[keys[to[0]]])
      else addKey(copies.get(target) ?? {}, to[1], to[2], { [keys[from[0]]]: source[keys[from[0]]] })
    }
  }
  const data = Object.fromEntries(
    Object.entries(rows).map(([set, list]) => [set, list.map((row) => copies.get(row) ?? row)]),
  )
  return memoryProvider(shopModel(), data)
}

function addKey(row: GivenRow, navigation: string, isCollection: boolean, key: unknown): void {
  if (!isCollection) row[navigation] = key
  else row[navigation] = [...((row[navigation] as unknown[] | undefined) ?? []), key]
}

/**
 * Adds the keys of linked entities to rows, as providers do that let the service follow links.
 *
 * @returns a function that adds the keys to a row of a set
 */
export function linkKeys({ links }: World, set: string): (row: GivenRow) => GivenRow {
  const sidesOfSet = linkKinds
    .flatMap(({ name, from, to }) => [
      { pairs: links[name], near: from, far: to, nearEnd: 0 as const, farEnd: 1 as const },
      { pairs: links[name], near: to, far: from, nearEnd: 1 as const, farEnd: 0 as const },
    ])
    .filter(({ near }) => near[0] === set && near[1] !== undefined)
  return (row) => {
    const complete = { ...row }
    for (const { pairs, near, far, nearEnd, farEnd } of sidesOfSet) {
      const key = keys[near[0]]
      const linked = pairs
        .filter((pair) => keyName(pair[nearEnd][key]) === keyName(row[key]))
        .map((pair) => ({ [keys[far[0]]]: pair[farEnd][keys[far[0]]] }))
      complete[near[1] ?? ''] = near[2] ? linked : (linked[0] ?? null)
    }
    return complete
  }
}

const guidPattern = /^\w{8}-0000/

/** Normalizes the forms of a key. */
function keyName(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace(/\.?0*Z$/, '')
  const text = String(value)
  return guidPattern.test(text) ? text.toLowerCase() : text
}

/** The names that {@link linkKeys} adds. */
export const linkNames: readonly string[] = linkKinds.flatMap(({ from, to }) => [from[1], to[1] ?? ''])
