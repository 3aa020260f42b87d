import type { Column } from '../../../column.js'
import type { WireColumn } from '../../../wire/wire-format.js'
import { copyFiniteDecimal, doubleColumn, stringColumn } from '../../../wire/text-cells.js'
import {
  booleanCells,
  bytesCells,
  digitCells,
  guidCells,
  integerCells,
  timestampCells,
} from './binary-cells.js'

const integerTypes: ReadonlySet<string> = new Set(['int2', 'int4', 'int8'])
const timestampTypes: ReadonlySet<string> = new Set(['timestamp', 'timestamptz'])

const integerColumns = {
  'Edm.Byte': integerCells('Edm.Byte'),
  'Edm.SByte': integerCells('Edm.SByte'),
  'Edm.Int16': integerCells('Edm.Int16'),
  'Edm.Int32': integerCells('Edm.Int32'),
}
const decimalColumn: WireColumn = { bytes: { writeText: copyFiniteDecimal } }
const dateTimeColumn = timestampCells('')
const dateTimeOffsetColumn = timestampCells('Z')

/**
 * Returns how cells of PostgreSQL become values and bytes of documents, by the types of the property and of the
 * column.
 */
export function wireColumn({ type, facts: { dataType } }: Column): WireColumn {
  switch (type) {
    case 'Edm.Boolean':
      return booleanCells
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
      return integerColumns[type]
    case 'Edm.Int64':
      return digitCells
    case 'Edm.Decimal':
      return integerTypes.has(dataType) ? digitCells : decimalColumn
    case 'Edm.Single':
      return { decode: Number }
    case 'Edm.Double':
      return doubleColumn
    case 'Edm.Guid':
      return dataType === 'uuid' ? guidCells : {}
    case 'Edm.Binary':
      return bytesCells
    case 'Edm.DateTime':
      return timestampTypes.has(dataType) ? dateTimeColumn : {}
    case 'Edm.DateTimeOffset':
      return timestampTypes.has(dataType) ? dateTimeOffsetColumn : { decode: (cell) => `${cell as string}Z` }
    case 'Edm.Time':
      return {}
    case 'Edm.String':
      return stringColumn
  }
}
