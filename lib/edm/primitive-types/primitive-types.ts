import { binaryType } from './binary.js'
import { booleanType } from './boolean.js'
import { byteType, sByteType, int16Type, int32Type } from './integer.js'
import { dateTimeOffsetType } from './date-time-offset.js'
import { dateTimeType } from './date-time.js'
import { decimalType } from './decimal.js'
import { doubleType, singleType } from './floating-point.js'
import { guidType } from './guid.js'
import { int64Type } from './int64.js'
import type { PrimitiveTypeName } from './primitive-type-name.js'
import type { PrimitiveType } from './primitive-type.js'
import { stringType } from './string.js'
import { timeType } from './time.js'

/** Every simple type by its name. */
export const primitiveTypes: Readonly<Record<PrimitiveTypeName, PrimitiveType>> = {
  'Edm.Binary': binaryType,
  'Edm.Boolean': booleanType,
  'Edm.Byte': byteType,
  'Edm.DateTime': dateTimeType,
  'Edm.DateTimeOffset': dateTimeOffsetType,
  'Edm.Decimal': decimalType,
  'Edm.Double': doubleType,
  'Edm.Guid': guidType,
  'Edm.Int16': int16Type,
  'Edm.Int32': int32Type,
  'Edm.Int64': int64Type,
  'Edm.SByte': sByteType,
  'Edm.Single': singleType,
  'Edm.String': stringType,
  'Edm.Time': timeType,
}
