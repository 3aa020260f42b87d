import type { ValuePart } from '../../../provider/entry-template.js'
import type { Field, RenderDialect } from './render-dialect.js'

/** The SQL of a value that is not null, and the text around it that does not depend on the value. */
export interface ValueExpression {
  readonly opening: string
  readonly value: string
  readonly closing: string
}

/** Undefined when the database cannot write values of the type. */
export function valueOf(
  part: ValuePart,
  field: Field,
  dialect: RenderDialect,
  doubleAsNumber: boolean,
): ValueExpression | undefined {
  if (part.content === 'String' && part.notation === 'xml') {
    return { opening: '', value: dialect.xmlString(field, part), closing: part.closing }
  }
  const value = contentOf(part, field, dialect)
  if (value === undefined) return undefined
  // Numbers that are not finite are not written by databases.
  const { opening, closing } = (doubleAsNumber ? part.ofNumber : undefined) ?? part
  return { opening, value, closing }
}

function contentOf({ content, type, path }: ValuePart, field: Field, dialect: RenderDialect) {
  switch (content) {
    case 'Text':
      return dialect.plain[type]?.(field, path.at(-1)?.precision)
    case 'String':
      return dialect.jsonString(field)
    case 'Milliseconds':
      return dialect.milliseconds(field)
  }
}
