import { primitiveTypes } from '../../../edm/primitive-types/primitive-types.js'
import type { Field, RenderDialect } from './render-dialect.js'

/** The SQL of the literal of a value that is not null. Undefined when the database cannot write it. */
export function literalOf(field: Field, dialect: RenderDialect): string | undefined {
  const text = textOf(field, dialect)
  if (text === undefined) return undefined
  const [before, after] = primitiveTypes[field.column.type].aroundLiteral
  const quoted = (part: string): readonly string[] => (part === '' ? [] : [dialect.quoted(part)])
  return `(${[...quoted(before), text, ...quoted(after)].join(' || ')})`
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
