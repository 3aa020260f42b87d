import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { Field, RenderDialect } from './render-dialect.js'

/** What stands around the text of a value in a literal of an address. */
const around: Readonly<Record<PrimitiveTypeName, readonly [before: string, after: string]>> = {
  'Edm.Binary': ["binary'", "'"],
  'Edm.Boolean': ['', ''],
  'Edm.Byte': ['', ''],
  'Edm.DateTime': ["datetime'", "'"],
  'Edm.DateTimeOffset': ["datetimeoffset'", "'"],
  'Edm.Decimal': ['', 'M'],
  'Edm.Double': ['', 'D'],
  'Edm.Guid': ["guid'", "'"],
  'Edm.Int16': ['', ''],
  'Edm.Int32': ['', ''],
  'Edm.Int64': ['', 'L'],
  'Edm.SByte': ['', ''],
  'Edm.Single': ['', 'F'],
  'Edm.String': ["'", "'"],
  'Edm.Time': ["time'", "'"],
}

/** The SQL of the literal of a value that is not null. Undefined when the database cannot write it. */
export function literalOf(field: Field, dialect: RenderDialect): string | undefined {
  const { type } = field.column
  const text = textOf(field, dialect)
  if (text === undefined) return undefined
  const [before, after] = around[type]
  const parts = [before, after].map((part) => (part === '' ? undefined : dialect.quoted(part)))
  return `(${[parts[0], text, parts[1]].filter((part) => part !== undefined).join(' || ')})`
}

function textOf(field: Field, dialect: RenderDialect): string | undefined {
  switch (field.column.type) {
    case 'Edm.String':
      return dialect.addressText(field)
    case 'Edm.Binary':
      return dialect.hexadecimal(field)
    default:
      return dialect.plain[field.column.type]?.(field)
  }
}
