import { tags } from './contract-data.js'

/** The parts of random requests on a set of the contract's model. */
interface Vocabulary {
  /** Key predicates without parentheses, of entities that are there and of some that are not. */
  readonly keys: readonly string[]
  readonly navigation: readonly (readonly [name: string, target: string, isCollection: boolean])[]
  /** Navigation properties of derived types: no address leads over them, but they can be expanded. */
  readonly derivedNavigation?: readonly (readonly [name: string, target: string])[]
  readonly properties: readonly string[]
  readonly conditions: readonly string[]
  readonly orders: readonly string[]
}

const product: Vocabulary = {
  keys: ['1L', '2L', '3', '4', '6L', '7L', '9007199254740992L', '9007199254740993L', '9007199254740994L'],
  navigation: [
    ['Category', 'Categories', false],
    ['Supplier', 'Suppliers', false],
    ['Lines', 'Lines', true],
    ['Tags', 'Tags', true],
    ['Photo', 'Photos', false],
  ],
  properties: ['ID', 'Name', 'Price', 'Stock', 'Released', 'Dims', 'Pic', 'CategoryID'],
  conditions: [
    'ID gt 3L',
    'ID eq 9007199254740993L',
    'ID eq 2 or ID eq 6L or ID eq 99L',
    "Name eq 'Same'",
    "Name ge 'a'",
    "startswith(Name,'G')",
    "substringof('s',Name)",
    "tolower(Name) eq 'gouda'",
    'length(Name) gt 4',
    'Price eq 12.5M',
    'not (Price gt 1M)',
    'Price lt 12345678901234567.8901234568M',
    'Stock ge 9007199254740993L',
    'Stock mod 2 eq 0',
    'Rating eq 3',
    'Rating ne 3',
    'Rating add 1 gt 5',
    'Grade lt 0',
    'Shelf eq 255',
    'Weight lt 0.25d',
    'Discount eq 0.1f',
    'Active',
    'not Active',
    'Active eq null',
    "Released gt datetime'2012-05-29T09:13:28.1234567'",
    'year(Released) eq 2012',
    "Changed eq datetimeoffset'2012-05-29T11:13:28+02:00'",
    "Opens gt time'PT09H'",
    "Code eq guid'12345678-AAAA-BBBB-CCCC-DDDDEEEEFFFF'",
    "Pic eq X'000FA0FF'",
    "Dims/Unit eq 'cm'",
    'Dims/W ge 1.5d',
    'Category eq null',
    "Category/Name eq 'Cheese'",
    'Category/Name ne null',
    'Category/Parent/ID eq 1',
    'Category/Parent/Parent eq null',
    "Supplier/City eq 'Oslo'",
    'Photo ne null',
    "Photo/Title eq 'Gouda'",
    'CategoryID eq Category/ID',
  ],
  orders: [
    'Name',
    'Price',
    'Stock',
    'Rating',
    'Weight',
    'Active',
    'Released',
    'ID',
    'Dims/W',
    'Category/Name',
    'Category/Parent/Name',
    'Supplier/City',
    'Photo/ID',
    'length(Name)',
    'Price mul 2',
  ],
}

const category: Vocabulary = {
  keys: ['1', '2', '3', '4', '6', '7'],
  navigation: [
    ['Parent', 'Categories', false],
    ['Children', 'Categories', true],
    ['Products', 'Products', true],
  ],
  properties: ['ID', 'Name', 'ParentID'],
  conditions: [
    'ID lt 4',
    'ID eq 1 or ID eq 5',
    "Name eq 'Cheese'",
    'Name eq null',
    "Name gt 'a'",
    'ParentID eq 1',
    'Parent eq null',
    "Parent/Name eq 'Cheese'",
    'Parent/Parent/ID eq 1',
    'Parent/ParentID eq null',
  ],
  orders: ['Name', 'ParentID', 'ID', 'Parent/Name', 'Parent/Parent/Name', 'ID mod 2'],
}

const product1 = ['Product', 'Products', false] as const

/** By entity set. */
export const vocabularies: Readonly<Record<string, Vocabulary>> = {
  Products: product,
  Categories: category,
  Suppliers: {
    keys: ["''", "'O''Neil%20%26%20Sons'", "'Z'", "'a'", "'a%2Fb%3Fc%23d%25'", "'%F0%9F%98%80'", "'none'"],
    navigation: [['Products', 'Products', true]],
    properties: ['Name', 'City'],
    conditions: ["City eq 'Oslo'", 'City eq null', "Name ge 'a'", "Name gt '\u{FFFD}'", "Name eq ''"],
    orders: ['City', 'Name', 'length(Name)'],
  },
  Lines: {
    keys: ['Order=1,No=1', 'No=2,Order=1', 'Order=2,No=-1', 'Order=2,No=1', 'Order=10,No=1', 'Order=9,No=9'],
    navigation: [product1],
    properties: ['Order', 'No', 'Amount'],
    conditions: [
      'Order eq 1',
      'No eq 1 and Order gt 1',
      '(Order eq 1 and No eq 2) or (Order eq 10 and No eq 1)',
      'Amount eq 2.5M',
      'Product eq null',
      'Product/ID gt 1L',
      'Product/Rating eq 5',
      "Product/Category/Name eq 'Cheese'",
      "Product/Supplier/City ne 'Oslo'",
    ],
    orders: ['No', 'Amount', 'Product/Name', 'Product/Price', 'Product/Category/Name'],
  },
  Tags: {
    keys: [`guid'${tags.red}'`, `guid'${tags.blue.toUpperCase()}'`, `guid'${tags.green}'`],
    navigation: [['Products', 'Products', true]],
    properties: ['Id', 'Label'],
    conditions: ["Label eq 'red'", 'Label eq null', `Id gt guid'${tags.red}'`],
    orders: ['Label', 'Id'],
  },
  Journal: {
    keys: [
      "datetime'2012-05-29T09:13:28'",
      "datetime'2012-05-29T09:13:28.1234568'",
      "datetime'2012-05-29T09:13:28.1234569'",
    ],
    navigation: [],
    properties: ['At', 'Text'],
    conditions: [
      "At gt datetime'2012-05-29T09:13:28'",
      "At le datetime'2012-05-29T09:13:28.1234567'",
      "Text ne 'whole'",
    ],
    orders: ['At', 'Text'],
  },
  Parties: {
    keys: ['1', '2', '4', '9'],
    navigation: [],
    derivedNavigation: [['Favourite', 'Products']],
    properties: ['ID', 'Name'],
    conditions: [
      "isof('Depot.Person')",
      'ID gt 1',
      'Name ne null',
      "cast('Depot.Person')/Age gt 10",
      "cast('Depot.Person')/Favourite/Rating eq 3",
      "cast('Depot.Person')/Favourite eq null",
      "cast('Depot.Person')/Favourite/Category/ID eq 1",
    ],
    orders: ['Name', "cast('Depot.Person')/Age", "cast('Depot.Person')/Favourite/Price"],
  },
  Photos: {
    keys: ['1', '2', '3'],
    navigation: [product1],
    properties: ['ID', 'Title'],
    conditions: ['Title eq null', 'Product ne null', "Product/Name eq 'Gouda'", 'ID gt 1'],
    orders: ['Title', 'Product/Name'],
  },
}

export function vocabularyOf(set: string): Vocabulary {
  return vocabularies[set] ?? { keys: [], navigation: [], properties: [], conditions: [], orders: [] }
}
