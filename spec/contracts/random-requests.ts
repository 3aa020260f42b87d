import { fc } from '../support/random.js'
import { vocabularyOf } from './contract-vocabulary.js'

/** Path and query below the service root, encoded. */
type RequestText = string

type Options = Readonly<Record<string, string>>

/** A random filter on a set: conditions, negations and alternatives. */
export function filterOn(set: string): fc.Arbitrary<string> {
  const condition = fc.constantFrom(...vocabularyOf(set).conditions)
  const part = fc.oneof(
    { weight: 3, arbitrary: condition },
    condition.map((one) => `not (${one})`),
    fc.tuple(condition, condition).map(([a, b]) => `(${a} or ${b})`),
  )
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' and '))
}

/** A random request that reads from one of some sets, over navigation properties that lead from it to others. */
export function requestOn(sets: readonly string[]): fc.Arbitrary<RequestText> {
  return fc
    .constantFrom(...sets)
    .chain((set) =>
      fc.oneof(
        { weight: 3, arbitrary: collection(set, set) },
        { weight: 2, arbitrary: entity(set, set, sets) },
        { weight: 3, arbitrary: related(set, sets) },
      ),
    )
}

/** A request on many entities, which are at a path. */
function collection(path: string, set: string): fc.Arbitrary<RequestText> {
  return fc.oneof(
    { weight: 4, arbitrary: feedOptions(set).map((options) => address(path, options)) },
    { weight: 1, arbitrary: countOptions(set).map((options) => address(`${path}/$count`, options)) },
  )
}

/** A request on one entity: itself, a property of it, how often it is there, or its media resource. */
function entity(path: string, set: string, sets: readonly string[]): fc.Arbitrary<RequestText> {
  return fc.constantFrom(...vocabularyOf(set).keys).chain((key) => single(`${path}(${key})`, set, sets))
}

function single(path: string, set: string, sets: readonly string[]): fc.Arbitrary<RequestText> {
  const { properties, navigation } = vocabularyOf(set)
  const property = fc
    .tuple(fc.constantFrom(...properties), fc.constantFrom('', '/$value'))
    .map(([name, value]) => address(`${path}/${name}${name === 'Dims' ? '' : value}`, {}))
  const links = navigation
    .filter(([, target]) => sets.includes(target))
    .map(([name, target, isCollection]) =>
      isCollection
        ? linksOptions(target).map((options) => address(`${path}/$links/${name}`, options))
        : fc.constant(address(`${path}/$links/${name}`, {})),
    )
  return fc.oneof(
    { weight: 4, arbitrary: entryOptions(set).map((options) => address(path, options)) },
    { weight: 2, arbitrary: property },
    fc.constant(address(`${path}/$count`, {})),
    ...(set === 'Photos' ? [fc.constant(address(`${path}/$value`, {}))] : []),
    ...links,
  )
}

/** A request on what is related to an entity, perhaps two steps away. */
function related(set: string, sets: readonly string[], depth = 2): fc.Arbitrary<RequestText> {
  const { navigation, keys } = vocabularyOf(set)
  const ways = navigation.filter(([, target]) => sets.includes(target))
  if (ways.length === 0) return entity(set, set, sets)
  return fc
    .tuple(fc.constantFrom(...ways), fc.constantFrom(...keys))
    .chain(([way, key]) => follow(`${set}(${key})`, way, sets, depth))
}

function follow(
  from: string,
  [name, target, isCollection]: readonly [string, string, boolean],
  sets: readonly string[],
  depth: number,
): fc.Arbitrary<RequestText> {
  const path = `${from}/${name}`
  const here = isCollection
    ? fc.oneof(collection(path, target), entity(path, target, sets))
    : single(path, target, sets)
  const ways = vocabularyOf(target).navigation.filter(([, next]) => sets.includes(next))
  if (depth <= 1 || ways.length === 0) return here
  const further = fc
    .tuple(fc.constantFrom(...ways), fc.constantFrom(...vocabularyOf(target).keys))
    .chain(([way, key]) => follow(isCollection ? `${path}(${key})` : path, way, sets, depth - 1))
  return fc.oneof({ weight: 3, arbitrary: here }, { weight: 1, arbitrary: further })
}

/** A request on what functions return. */
export const functionRequest: fc.Arbitrary<RequestText> = fc.oneof(
  fc
    .tuple(feedOptions('Products'), fc.constantFrom('', '3', '5'))
    .map(([options, min]) => address('Rated', { ...options, ...(min === '' ? {} : { min }) })),
  fc.constantFrom(
    '/Best',
    '/Best/Name',
    '/Best/Price/$value',
    '/Best/Category',
    '/Best/Tags',
    '/Best/$links/Lines',
  ),
  fc.constantFrom(
    '/Best/Category/Products?$orderby=Name',
    '/Rated/$count?min=3',
    '/Total',
    '/Best/$count',
    '/Best?$expand=Tags',
  ),
)

function feedOptions(set: string): fc.Arbitrary<Options> {
  return fc.record(
    {
      $filter: filterOn(set),
      $orderby: orderOn(set),
      $skip: fc.nat(3).map(String),
      $top: fc.nat(6).map(String),
      $inlinecount: fc.constant('allpages'),
      ...expandAndSelect(set),
    },
    { requiredKeys: [] },
  )
}

function linksOptions(set: string): fc.Arbitrary<Options> {
  return fc.record(
    { $filter: filterOn(set), $orderby: orderOn(set), $inlinecount: fc.constant('allpages') },
    { requiredKeys: [] },
  )
}

function countOptions(set: string): fc.Arbitrary<Options> {
  return fc.record({ $filter: filterOn(set), $top: fc.nat(6).map(String) }, { requiredKeys: [] })
}

function entryOptions(set: string): fc.Arbitrary<Options> {
  return fc.record({ $filter: filterOn(set), ...expandAndSelect(set) }, { requiredKeys: [] })
}

function orderOn(set: string): fc.Arbitrary<string> {
  const term = fc
    .tuple(fc.constantFrom(...vocabularyOf(set).orders), fc.constantFrom('', ' asc', ' desc'))
    .map((parts) => parts.join(''))
  return fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(','))
}

function expandAndSelect(set: string): { $expand?: fc.Arbitrary<string>; $select?: fc.Arbitrary<string> } {
  const { properties, derivedNavigation = [], ...own } = vocabularyOf(set)
  const navigation = [...own.navigation, ...derivedNavigation]
  const names = [...properties.filter((name) => name !== 'Dims'), '*', ...navigation.map(([name]) => name)]
  const $select = some(names, 4).map((chosen) => chosen.join(','))
  const paths = navigation.flatMap(([name, target]) => [
    name,
    ...vocabularyOf(target).navigation.map(([next]) => `${name}/${next}`),
  ])
  if (paths.length === 0) return { $select }
  const $expand = some(paths, 3).map((chosen) => chosen.join(','))
  return { $select, $expand }
}

function some(names: readonly string[], maxLength: number): fc.Arbitrary<string[]> {
  return fc.subarray([...names], { minLength: 1, maxLength: Math.min(maxLength, names.length) })
}

function address(path: string, options: Options): RequestText {
  const pairs = Object.entries(options).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `/${path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}
