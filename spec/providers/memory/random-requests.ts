import { fc } from '../../support/random.js'

/** The conditions and orders that requests on a set are composed of. */
interface Vocabulary {
  readonly keys: readonly string[]
  readonly navigation: readonly (readonly [name: string, target: string, isCollection: boolean])[]
  readonly conditions: readonly string[]
  readonly orders: readonly string[]
}

const strings = ["'a'", "'b'", "'ab'", "'\u{1F600}'", "''", 'null']

const vocabularies: Readonly<Record<string, Vocabulary>> = {
  Categories: {
    keys: ['1', '2', '3', '4', '99'],
    navigation: [
      ['Products', 'Products', true],
      ['Parent', 'Categories', false],
      ['Children', 'Categories', true],
    ],
    conditions: [
      'ID eq 1',
      '3L eq ID',
      'ID eq 2.0d',
      'ID eq 1 or ID eq 4 or ID eq 4',
      'ID gt 2',
      'ID eq ParentID',
      'ParentID eq null',
      'Parent eq null',
      'Parent/ID ge 2',
      'Parent/Parent ne null',
      ...strings.flatMap((text) => [`Name eq ${text}`, `Name lt ${text}`, `Parent/Name ne ${text}`]),
    ],
    orders: ['Name', 'ID', 'Parent/Name', 'ParentID', 'length(Name)', 'ID mod 2'],
  },
  Products: {
    keys: ["''", "'a'", "'p1'", "'p2'", "'p3'", "'none'"],
    navigation: [
      ['Category', 'Categories', false],
      ['Tags', 'Tags', true],
      ['Lines', 'Lines', true],
    ],
    conditions: [
      "Code eq 'p1'",
      "(Code eq 'p2' or Code eq 'a') and Price gt 1",
      "Code ge 'b'",
      'Price gt 1.5M',
      'Price eq 1.5M',
      'not (Price gt 1.5M)',
      'Stock lt 3L',
      'Stock eq 9007199254740993L',
      'Weight ge 1d',
      'Weight eq NaN',
      'Active',
      'not Active',
      "Released gt datetime'2020-01-01T00:00:00.5'",
      "Released eq datetime'2020-01-01T00:00:00.5000001'",
      "Picture eq X'00'",
      'Dims/W gt 1d',
      "Dims/Unit eq 'a'",
      'Category eq null',
      'Category/ID gt 2',
      'Category/ParentID eq 1',
      'Category/Parent/ID lt 3',
      ...strings.map((text) => `Category/Name eq ${text}`),
      "startswith(Name,'a')",
      'length(Name) gt 1',
      'Stock mod 2 eq 1',
    ],
    orders: [
      'Name',
      'Code',
      'Price',
      'Weight',
      'Released',
      'Category/Name',
      'Dims/W',
      'Price add 1',
      'Active',
    ],
  },
  Tags: {
    keys: ['1', '2L', '3', '4', '9'],
    navigation: [['Products', 'Products', true]],
    conditions: ['T eq 1', 'T eq 2L', 'T le 3', ...strings.map((text) => `Name eq ${text}`)],
    orders: ['T', 'Name', '-T'],
  },
  Lines: {
    keys: ['Order=1,No=1', 'Order=1,No=-1', 'No=2,Order=2', 'Order=3,No=0', 'Order=9,No=9'],
    navigation: [['Product', 'Products', false]],
    conditions: [
      'Order eq 1',
      'No eq 0 and Order eq 2',
      '(Order eq 1 and No eq 1) or (No eq 0 and Order eq 3L)',
      'No lt 0',
      "ProductCode eq 'p1'",
      'Product eq null',
      'Product/Price gt 1M',
      "Product/Category/Name eq 'a'",
      'Product/Category/Parent/ID gt 1',
      'Amount lt 0.5f',
      'Amount eq 0.1f',
      "Opens eq time'PT9H'",
    ],
    orders: ['Order', 'No', 'Amount', 'Product/Name', 'Product/Category/ID', 'Opens', 'ProductCode'],
  },
  Parties: {
    keys: ['1', 'a', 'b', 'f', '9'].map((digit) => `guid'${digit.repeat(8)}-0000-0000-0000-000000000000'`),
    navigation: [],
    conditions: [
      "isof('Shop.Person')",
      "cast('Shop.Person')/Age gt 1",
      "cast('Shop.Person')/Favourite/Name eq 'a'",
      "cast('Shop.Person')/Favourite/Category/ID gt 1",
      "cast('Shop.Person')/Passport eq null",
      "cast('Shop.Person')/Passport/Country ne 'b'",
      "Id eq guid'BBBBBBBB-0000-0000-0000-000000000000'",
      ...strings.map((text) => `Name eq ${text}`),
    ],
    orders: ['Name', 'Id', "cast('Shop.Person')/Age", "cast('Shop.Person')/Favourite/Name"],
  },
  Passports: {
    keys: [
      "datetime'2020-01-01T00:00:00'",
      "datetime'2020-01-01T00:00:00.5000001'",
      "datetime'1999-01-01T00:00'",
    ],
    navigation: [['Holder', 'Parties', false]],
    conditions: [
      "Issued eq datetime'2020-01-01T00:00:00.500'",
      "Issued gt datetime'2020-01-01T00:00:00'",
      'Holder ne null',
      "Holder/Name eq 'a'",
      'Holder/Age ge 2',
      'Holder/Favourite/Weight gt 0d',
      "Country eq 'a'",
    ],
    orders: ['Issued', 'Country', 'Holder/Name', 'Holder/Favourite/Code'],
  },
}

export const setNames = Object.keys(vocabularies)

function vocabulary(set: string): Vocabulary {
  return vocabularies[set] ?? { keys: [], navigation: [], conditions: [], orders: [] }
}

/** A random filter on a set. */
export function filterOn(set: string): fc.Arbitrary<string> {
  const condition = fc.constantFrom(...vocabulary(set).conditions)
  const inner = fc.oneof(
    condition,
    condition.map((one) => `not (${one})`),
    fc.tuple(condition, condition).map(([a, b]) => `(${a} or ${b})`),
  )
  return fc.array(inner, { minLength: 1, maxLength: 2 }).map((conditions) => conditions.join(' and '))
}

/** One request: its path, and its query options by name. */
export interface RandomRequest {
  readonly path: string
  readonly options: Readonly<Record<string, string>>
}

/** A random path to a set, to related entities or to an entity, with options that it accepts. */
export const request: fc.Arbitrary<RandomRequest> = fc
  .constantFrom(...setNames)
  .chain((set) =>
    fc.oneof(
      { weight: 4, arbitrary: setRequest(set) },
      { weight: 1, arbitrary: entityRequest(set) },
      { weight: 3, arbitrary: relatedRequest(set) },
    ),
  )

function setRequest(set: string): fc.Arbitrary<RandomRequest> {
  return fc.oneof(
    { weight: 4, arbitrary: feedOptions(set).map((options) => ({ path: set, options })) },
    { weight: 1, arbitrary: countOptions(set).map((options) => ({ path: `${set}/$count`, options })) },
  )
}

function entityRequest(set: string): fc.Arbitrary<RandomRequest> {
  return fc
    .tuple(fc.constantFrom(...vocabulary(set).keys), entityOptions(set))
    .map(([key, options]) => ({ path: `${set}(${key})`, options }))
}

function relatedRequest(set: string): fc.Arbitrary<RandomRequest> {
  const { navigation, keys } = vocabulary(set)
  if (navigation.length === 0) return entityRequest(set)
  return fc
    .tuple(fc.constantFrom(...navigation), fc.constantFrom(...keys))
    .chain(([[name, target, isCollection], key]) => {
      const start = `${set}(${key})/${name}`
      const inside = isCollection
        ? fc.oneof(
            { weight: 3, arbitrary: setRequest(target) },
            { weight: 1, arbitrary: entityRequest(target) },
          )
        : entityOptions(target).map((options) => ({ path: target, options }))
      return inside.map(({ path, options }) => ({ path: `${start}${path.slice(target.length)}`, options }))
    })
}

function feedOptions(set: string): fc.Arbitrary<RandomRequest['options']> {
  return fc.record(
    {
      $filter: filterOn(set),
      $orderby: orderOn(set),
      $skip: fc.nat(3).map(String),
      $top: fc.nat(6).map(String),
      $inlinecount: fc.constant('allpages'),
      ...expandOf(set),
    },
    { requiredKeys: [] },
  )
}

function countOptions(set: string): fc.Arbitrary<RandomRequest['options']> {
  return fc.record({ $filter: filterOn(set) }, { requiredKeys: [] })
}

function entityOptions(set: string): fc.Arbitrary<RandomRequest['options']> {
  return fc.record({ $filter: filterOn(set), ...expandOf(set) }, { requiredKeys: [] })
}

function orderOn(set: string): fc.Arbitrary<string> {
  const term = fc
    .tuple(fc.constantFrom(...vocabulary(set).orders), fc.constantFrom('', ' desc'))
    .map((parts) => parts.join(''))
  return fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(','))
}

function expandOf(set: string): { readonly $expand?: fc.Arbitrary<string> } {
  const { navigation } = vocabulary(set)
  if (navigation.length === 0) return {}
  const paths = navigation.flatMap(([name, target]) => [
    name,
    ...vocabulary(target).navigation.map(([next]) => `${name}/${next}`),
  ])
  return { $expand: fc.constantFrom(...paths) }
}
