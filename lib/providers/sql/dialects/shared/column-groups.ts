import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'

/** Groups of column types. */
export type ColumnGroup =
  | 'tiny'
  | 'whole'
  | 'long'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'text'
  | 'bytes'
  | 'bit'
  | 'guid'
  | 'time'
  | 'timestamp'
  | 'other'

const groups: Readonly<Record<PrimitiveTypeName, readonly ColumnGroup[]>> = {
  'Edm.Binary': ['bytes', 'bit'],
  'Edm.Boolean': ['boolean', 'tiny', 'bit'],
  'Edm.Byte': ['whole', 'tiny'],
  'Edm.SByte': ['whole', 'tiny'],
  'Edm.Int16': ['whole', 'tiny'],
  'Edm.Int32': ['whole', 'tiny'],
  'Edm.Int64': ['whole', 'tiny', 'long'],
  'Edm.Decimal': ['decimal', 'whole', 'tiny', 'long'],
  'Edm.Double': ['float'],
  'Edm.Single': ['float'],
  'Edm.String': ['text', 'guid', 'other'],
  'Edm.Guid': ['guid', 'text'],
  'Edm.DateTime': ['timestamp'],
  'Edm.DateTimeOffset': ['timestamp'],
  'Edm.Time': ['time'],
}

/** Returns true if columns of a group store the values of a property type without changing them. */
export function canStore(group: ColumnGroup, type: PrimitiveTypeName): boolean {
  return groups[type].includes(group)
}
