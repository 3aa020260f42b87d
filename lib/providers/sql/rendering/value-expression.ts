import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { ValuePart } from '../../../provider/entry-template.js'
import type { Field, RenderDialect } from './render-dialect.js'

/** The SQL of a value that is not null, and the text around it that does not depend on the value. */
export interface ValueExpression {
  readonly opening: string
  readonly value: string
  readonly closing: string
}

/** What stands in quotes in JSON. */
const quotedInJson: ReadonlySet<PrimitiveTypeName> = new Set([
  'Edm.Int64',
  'Edm.Decimal',
  'Edm.Guid',
  'Edm.Binary',
  'Edm.Time',
])

/** Undefined when the database cannot write values of the type. */
export function valueOf(
  part: ValuePart,
  field: Field,
  dialect: RenderDialect,
  doubleAsNumber: boolean,
): ValueExpression | undefined {
  const { type, opening, closing } = part
  if (part.notation === 'xml') {
    if (type === 'Edm.String') {
      return {
        opening: '',
        value: dialect.xmlString(field, opening, part.openingOfBlank ?? opening),
        closing,
      }
    }
    const value = dialect.plain[type]?.(field, part.path.at(-1)?.precision)
    return value === undefined ? undefined : { opening, value, closing }
  }
  const value = jsonValue(field, dialect)
  if (value === undefined) return undefined
  const [before, after] = aroundJson(type, doubleAsNumber)
  return { opening: opening + before, value, closing: after + closing }
}

function jsonValue(field: Field, dialect: RenderDialect): string | undefined {
  switch (field.column.type) {
    case 'Edm.String':
      return dialect.jsonString(field)
    case 'Edm.DateTime':
    case 'Edm.DateTimeOffset':
      return dialect.milliseconds(field)
    default:
      return dialect.plain[field.column.type]?.(field)
  }
}

/** What stands around what {@link jsonValue} writes. */
function aroundJson(
  type: PrimitiveTypeName,
  doubleAsNumber: boolean,
): readonly [before: string, after: string] {
  switch (type) {
    case 'Edm.DateTime':
      return ['"\\/Date(', ')\\/"']
    case 'Edm.DateTimeOffset':
      return ['"\\/Date(', '+0000)\\/"']
    case 'Edm.Double':
    case 'Edm.Single':
      return doubleAsNumber ? ['', ''] : ['"', '"']
    default:
      return quotedInJson.has(type) ? ['"', '"'] : ['', '']
  }
}
