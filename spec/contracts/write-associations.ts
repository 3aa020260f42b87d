type Multiplicity = '0..1' | '1' | '*'
type End = readonly [role: string, type: string, multiplicity: Multiplicity]

const one = '1'
const many = '*'
const optional = '0..1'

/** The associations of the write contract, and in which sets their ends are. */
export const writeAssociations = {
  associations: {
    CategoryTree: constrained(['Parent', 'Category', optional], ['Child', 'Category', many], {
      ID: 'ParentID',
    }),
    CategoryProducts: constrained(['Category', 'Category', optional], ['Product', 'Product', many], {
      ID: 'CategoryID',
    }),
    OrderLines: constrained(['Order', 'Order', one], ['Line', 'Line', many], { ID: 'OrderID' }, 'Cascade'),
    LineRemarks: constrained(
      ['Line', 'Line', one],
      ['Remark', 'Remark', many],
      { OrderID: 'OrderID', No: 'LineNo' },
      'Cascade',
    ),
    WarehouseBins: constrained(['Warehouse', 'Warehouse', one], ['Bin', 'Bin', many], { ID: 'WarehouseID' }),
    WorkerBadge: constrained(['Worker', 'Worker', one], ['Badge', 'Badge', optional], { ID: 'WorkerID' }),
    ProductTags: linked(['Product', 'Product', many], ['Tag', 'Tag', many]),
    ProductParts: linked(['Whole', 'Product', many], ['Part', 'Product', many]),
    ProductCover: linked(['Product', 'Product', optional], ['Cover', 'Cover', optional]),
    Favourites: linked(['Fan', 'Person', many], ['Product', 'Product', optional]),
  },
  entityContainer: {
    entitySets: {
      Samples: { entityType: 'Sample' },
      Forms: { entityType: 'Form' },
      Counters: { entityType: 'Counter' },
      Coupons: { entityType: 'Coupon' },
      Readings: { entityType: 'Reading' },
      Categories: { entityType: 'Category' },
      Products: { entityType: 'Product' },
      Tags: { entityType: 'Tag' },
      Covers: { entityType: 'Cover' },
      Orders: { entityType: 'Order' },
      Lines: { entityType: 'Line' },
      Remarks: { entityType: 'Remark' },
      Warehouses: { entityType: 'Warehouse' },
      Bins: { entityType: 'Bin' },
      Workers: { entityType: 'Worker' },
      Badges: { entityType: 'Badge' },
      Parties: { entityType: 'Party' },
      Photos: { entityType: 'Photo' },
    },
    associationSets: {
      CategoryTree: set('CategoryTree', { Parent: 'Categories', Child: 'Categories' }),
      CategoryProducts: set('CategoryProducts', { Category: 'Categories', Product: 'Products' }),
      OrderLines: set('OrderLines', { Order: 'Orders', Line: 'Lines' }),
      LineRemarks: set('LineRemarks', { Line: 'Lines', Remark: 'Remarks' }),
      WarehouseBins: set('WarehouseBins', { Warehouse: 'Warehouses', Bin: 'Bins' }),
      WorkerBadge: set('WorkerBadge', { Worker: 'Workers', Badge: 'Badges' }),
      ProductTags: set('ProductTags', { Product: 'Products', Tag: 'Tags' }),
      ProductParts: set('ProductParts', { Whole: 'Products', Part: 'Products' }),
      ProductCover: set('ProductCover', { Product: 'Products', Cover: 'Covers' }),
      Favourites: set('Favourites', { Fan: 'Parties', Product: 'Products' }),
    },
  },
} as const

/** @param columns dependent properties by those of the principal */
function constrained(
  principal: End,
  dependent: End,
  columns: Readonly<Record<string, string>>,
  onDelete: 'None' | 'Cascade' = 'None',
) {
  const { ends } = linked(principal, dependent)
  const [role, type, multiplicity] = principal
  return {
    ends: { ...ends, [role]: { type, multiplicity, onDelete } },
    referentialConstraint: {
      principal: { role, properties: Object.keys(columns) },
      dependent: { role: dependent[0], properties: Object.values(columns) },
    },
  }
}

function linked(first: End, second: End) {
  const end = ([role, type, multiplicity]: End) => [role, { type, multiplicity }] as const
  return { ends: Object.fromEntries([end(first), end(second)]) }
}

function set(association: string, ends: Readonly<Record<string, string>>) {
  return { association, ends }
}
