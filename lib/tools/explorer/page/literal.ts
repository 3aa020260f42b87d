/** What people write, as a literal of an address. */
export function literalOf(type: string, text: string): string {
  switch (type) {
    case 'Edm.String':
      return `'${text.replaceAll("'", "''")}'`
    case 'Edm.DateTime':
      return `datetime'${text}'`
    case 'Edm.DateTimeOffset':
      return `datetimeoffset'${text}'`
    case 'Edm.Time':
      return `time'${text}'`
    case 'Edm.Guid':
      return `guid'${text}'`
    case 'Edm.Binary':
      return `X'${text}'`
    case 'Edm.Int64':
      return `${text}L`
    case 'Edm.Decimal':
      return `${text}M`
    default:
      return text
  }
}

/** The other way round: what stands in an address, as people write it. */
export function plainOf(type: string, literal: string): string {
  const quoted = /^[A-Za-z]*'([^]*)'$/.exec(literal)?.[1]
  if (quoted !== undefined) return quoted.replaceAll("''", "'")
  return /^Edm\.(?:Int64|Decimal)$/.test(type) ? literal.replace(/[LMlm]$/, '') : literal
}
