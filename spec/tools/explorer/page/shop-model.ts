import type {
  Model,
  NavigationProperty,
  Property,
  StructuralType,
} from '../../../../lib/tools/explorer/page/model.js'

const described = { label: '', documentation: '', annotations: [] }

function property(name: string, type: string, isKey = false): Property {
  return {
    ...described,
    name,
    type,
    isKey,
    isNullable: !isKey,
    facets: [],
    mimeType: '',
    text: '',
    allowedValues: [],
    valueList: undefined,
  }
}

function navigation(name: string, target: string, multiplicity: string): NavigationProperty {
  return { ...described, name, target, multiplicity, association: 'S.A', fromRole: 'a', toRole: 'b' }
}

function type(
  name: string,
  properties: readonly Property[],
  links: readonly NavigationProperty[],
): StructuralType {
  return {
    ...described,
    kind: 'EntityType',
    name,
    qualifiedName: `S.${name}`,
    baseType: '',
    isAbstract: false,
    isMedia: false,
    keys: properties.filter(({ isKey }) => isKey).map((one) => one.name),
    properties,
    navigation: links,
  }
}

export const product = type(
  'Product',
  [
    property('ID', 'Edm.Int32', true),
    property('Name', 'Edm.String'),
    property('Released', 'Edm.DateTime'),
    property('Dims', 'S.Size'),
  ],
  [navigation('Category', 'S.Category', '0..1'), navigation('Lines', 'S.Line', '*')],
)
const category = type(
  'Category',
  [property('ID', 'Edm.Int32', true), property('Title', 'Edm.String')],
  [navigation('Products', 'S.Product', '*')],
)
const line = type('Line', [property('Order', 'Edm.Int32', true), property('No', 'Edm.Int16', true)], [])
const size: StructuralType = { ...type('Size', [property('Width', 'Edm.Int32')], []), kind: 'ComplexType' }

/** A small model, as `readMetadata` returns it. */
export const shopModel: Model = {
  types: new Map([product, category, line, size].map((one) => [one.qualifiedName, one])),
  associations: [],
  formats: [],
  sets: [
    {
      ...described,
      name: 'Products',
      path: 'Products',
      type: 'S.Product',
      targets: new Map([['Category', 'Categories']]),
    },
    {
      ...described,
      name: 'Categories',
      path: 'Categories',
      type: 'S.Category',
      targets: new Map([['Products', 'Products']]),
    },
  ],
  functions: [
    {
      ...described,
      name: 'Best',
      path: 'Best',
      method: 'GET',
      returnType: 'S.Product',
      isCollection: true,
      set: 'Products',
      parameters: [{ name: 'count', type: 'Edm.Int32', isNullable: false }],
    },
  ],
}
