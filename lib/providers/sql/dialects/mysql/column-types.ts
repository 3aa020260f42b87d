import type { PrimitiveTypeName } from '../../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts, ColumnType } from '../../column.js'
import { withFacets } from '../shared/column-facets.js'
import type { ColumnGroup } from '../shared/column-groups.js'
import { canStore } from '../shared/column-groups.js'

/** The types of signed and unsigned integers. */
const integers: Readonly<Record<string, readonly [PrimitiveTypeName, PrimitiveTypeName]>> = {
  tinyint: ['Edm.SByte', 'Edm.Byte'],
  smallint: ['Edm.Int16', 'Edm.Int32'],
  mediumint: ['Edm.Int32', 'Edm.Int32'],
  int: ['Edm.Int32', 'Edm.Int64'],
  bigint: ['Edm.Int64', 'Edm.Decimal'],
  year: ['Edm.Int16', 'Edm.Int16'],
}

const types: Readonly<Record<string, PrimitiveTypeName>> = {
  decimal: 'Edm.Decimal',
  float: 'Edm.Single',
  double: 'Edm.Double',
  uuid: 'Edm.Guid',
  datetime: 'Edm.DateTime',
  timestamp: 'Edm.DateTimeOffset',
  date: 'Edm.DateTime',
  time: 'Edm.Time',
  binary: 'Edm.Binary',
  varbinary: 'Edm.Binary',
}

/**
 * Maps the type of a column. Types without an equivalent in CSDL, such as JSON, become strings.
 *
 * @param identifies true for columns of keys and foreign keys: numbers other than 0 and 1 would be the same Boolean
 */
export function mysqlColumnType(facts: ColumnFacts, identifies: boolean): ColumnType {
  const { dataType, typeArguments, isUnsigned } = facts
  const integer = integers[dataType]
  const isBoolean = dataType === 'bit' || (dataType === 'tinyint' && !identifies)
  if (isBoolean && typeArguments[0] === 1) return { type: 'Edm.Boolean' }
  if (integer !== undefined) {
    const type = integer[isUnsigned === true ? 1 : 0]
    return type === 'Edm.Decimal' ? { type, precision: 20, scale: 0 } : { type }
  }
  const type = types[dataType]
  if (type !== undefined || /^(?:var)?char$/.test(dataType)) return withFacets(type ?? 'Edm.String', facts, 0)
  // The length of other types is their limit in bytes.
  return { type: /blob|^bit$/.test(dataType) ? 'Edm.Binary' : 'Edm.String' }
}

const groups: Readonly<Record<string, ColumnGroup>> = {
  tinyint: 'tiny',
  smallint: 'whole',
  mediumint: 'whole',
  int: 'whole',
  bigint: 'whole',
  year: 'whole',
  decimal: 'decimal',
  float: 'float',
  double: 'float',
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  uuid: 'guid',
  binary: 'bytes',
  varbinary: 'bytes',
  tinyblob: 'bytes',
  blob: 'bytes',
  mediumblob: 'bytes',
  longblob: 'bytes',
  bit: 'bit',
  date: 'timestamp',
  datetime: 'timestamp',
  timestamp: 'timestamp',
  time: 'time',
}

/** Returns true if a column stores the values of a property type without changing them. */
export function fitsMysql(type: PrimitiveTypeName, { dataType, typeArguments }: ColumnFacts): boolean {
  // Several bits are not a Boolean.
  if (type === 'Edm.Boolean' && dataType === 'bit') return typeArguments[0] === 1
  return canStore(groups[dataType] ?? 'other', type)
}
