/**
 * The meaning of strings in terms and members. `Text` is a constant that can be translated; strings of other members
 * are constants.
 *
 * @spec OData V4 CSDL 14.3 and 14.4
 */
export type StringKind =
  'PropertyPath' | 'NavigationPropertyPath' | 'AnnotationPath' | 'Text' | { readonly enum: string }

const propertyPaths = [
  'UI.SelectionFields',
  'Common.SemanticKey',
  'NonFilterableProperties',
  'RequiredProperties',
  'NonSortableProperties',
  'AscendingOnlyProperties',
  'DescendingOnlyProperties',
  'NonInsertableProperties',
  'NonUpdatableProperties',
  'LocalDataProperty',
  'PropertyName',
  'Property',
  'Dimension',
  'Dimensions',
  'Measure',
  'Measures',
  'GroupBy',
  'RequestAtLeast',
]

const navigationPropertyPaths = [
  'NavigationProperty',
  'NonExpandableProperties',
  'NonCountableNavigationProperties',
]

/** Terms and members that clients display to users. */
const texts = [
  'Common.Label',
  'Common.Heading',
  'Common.QuickInfo',
  'Label',
  'TypeName',
  'TypeNamePlural',
  'Title',
  'Description',
  'Text',
]

const annotationPaths = ['Target', 'Visualizations', 'DataPoint']

const enums: Readonly<Record<string, string>> = {
  Criticality: 'UI.CriticalityType',
  CriticalityRepresentation: 'UI.CriticalityRepresentationType',
  'UI.Importance': 'UI.ImportanceType',
  'UI.TextArrangement': 'UI.TextArrangementType',
  ChartType: 'UI.ChartType',
  Visualization: 'UI.VisualizationType',
  ImprovementDirection: 'UI.ImprovementDirectionType',
  'Common.FieldControl': 'Common.FieldControlType',
  Sign: 'UI.SelectionRangeSignType',
  Option: 'UI.SelectionRangeOptionType',
}

/** Members whose enumeration depends on the record that they belong to. */
const enumsOfRecords: Readonly<Record<string, string>> = {
  Dimension: 'UI.ChartDimensionRoleType',
  Measure: 'UI.ChartMeasureRoleType',
}

const kinds: ReadonlyMap<string, StringKind> = new Map<string, StringKind>([
  ...propertyPaths.map((name) => [name, 'PropertyPath'] as const),
  ...navigationPropertyPaths.map((name) => [name, 'NavigationPropertyPath'] as const),
  ...texts.map((name) => [name, 'Text'] as const),
  ...annotationPaths.map((name) => [name, 'AnnotationPath'] as const),
  ...Object.entries(enums).map(([name, type]) => [name, { enum: type }] as const),
])

/**
 * Returns the kind of the strings of a term or member; undefined for constants.
 *
 * @param record the record that the member belongs to
 */
export function stringKind(name: string, record: object = {}): StringKind | undefined {
  const type = '$Type' in record ? record.$Type : undefined
  if (name === 'Target' && type === 'UI.DataFieldWithNavigationPath') return 'NavigationPropertyPath'
  if (name !== 'Role') return kinds.get(name)
  const member = Object.keys(enumsOfRecords).find((one) => one in record)
  return member === undefined ? undefined : { enum: enumsOfRecords[member] ?? '' }
}

/** The types of records by the member that holds them, for clients that do not know the vocabularies. */
const recordTypes: ReadonlyMap<string, string> = new Map([
  ['Title', 'UI.DataField'],
  ['Description', 'UI.DataField'],
  ['SortOrder', 'Common.SortOrderType'],
  ['SelectOptions', 'UI.SelectOptionType'],
  ['Ranges', 'UI.SelectionRangeType'],
  ['DimensionAttributes', 'UI.ChartDimensionAttributeType'],
  ['MeasureAttributes', 'UI.ChartMeasureAttributeType'],
])

/** Returns the type of the records in a member of another record; undefined if it follows from the term. */
export function recordType(member: string): string | undefined {
  return recordTypes.get(member)
}
