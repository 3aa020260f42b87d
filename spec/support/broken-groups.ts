import type { BrokenServer } from './broken-queries.js'
import { json, notFound, replaced, text, withoutOption } from './server-faults.js'

/** Bugs in groups of analytical sets, and in annotations. */
export const brokenGroups: readonly BrokenServer[] = [
  [
    'ODATA-GROUP-001',
    'a group is returned twice',
    json((value, name) => (name === 'results' && Array.isArray(value) ? [value[0], ...value] : value)),
  ],
  ['ODATA-GROUP-002', 'all groups have one address', replaced(/OrderTotals\('[^']*'\)/g, "OrderTotals('a')")],
  [
    'ODATA-GROUP-003',
    '__count counts the entries of the page',
    text((body, { url }) =>
      url.includes('$top=0') ? body.replace(/"__count":"\d+"/, '"__count":"0"') : body,
    ),
  ],
  ['ODATA-GROUP-004', '$select is overlooked', withoutOption('$select')],
  ['ODATA-GROUP-005', 'groups are not found by their address', notFound(/OrderTotals\('/)],
  ['ODATA-GROUP-006', '$expand is overlooked', withoutOption('$expand')],
  [
    'ODATA-ANNOTATION-001',
    'a property with annotations does not exist',
    replaced(/Target="NorthwindModel.Product\/CategoryID"/, 'Target="NorthwindModel.Product/Nothing"'),
  ],
  [
    'ODATA-ANNOTATION-001',
    'a type with annotations does not exist',
    replaced(/Target="NorthwindModel.Product"/, 'Target="NorthwindModel.Nothing"'),
  ],
  [
    'ODATA-ANNOTATION-002',
    'a path leads to a property that does not exist',
    replaced(/Path="Category\/CategoryName"/, 'Path="Category/Nothing"'),
  ],
  [
    'ODATA-ANNOTATION-002',
    'a filter field is not a property',
    replaced(/<PropertyPath>ProductName/, '<PropertyPath>Nothing'),
  ],
  [
    'ODATA-ANNOTATION-002',
    'a value list is of an entity set that does not exist',
    replaced(/String="Categories"/, 'String="Nothing"'),
  ],
  [
    'ODATA-ANNOTATION-002',
    'a value list returns a property that does not exist',
    replaced(
      /Property="ValueListProperty" String="CategoryID"/,
      'Property="ValueListProperty" String="Nothing"',
    ),
  ],
]
