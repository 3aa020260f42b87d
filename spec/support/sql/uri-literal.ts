/** Returns a value in JSON as a literal of a URI. */
export function uriLiteral(type: string, json: unknown): string {
  const text = String(json)
  const milliseconds = Number(/-?\d+/.exec(text)?.[0])
  switch (type) {
    case 'Edm.Int64':
      return `${text}L`
    case 'Edm.Decimal':
      return `${text}M`
    case 'Edm.Double':
      return `${text}d`
    case 'Edm.Single':
      return `${text}f`
    case 'Edm.Binary':
      return `X'${Buffer.from(text, 'base64').toString('hex')}'`
    case 'Edm.Guid':
      return `guid'${text}'`
    case 'Edm.Time':
      return `time'${text}'`
    case 'Edm.DateTime':
      return `datetime'${new Date(milliseconds).toISOString().slice(0, -1)}'`
    case 'Edm.DateTimeOffset':
      return `datetimeoffset'${new Date(milliseconds).toISOString()}'`
    case 'Edm.String':
      return `'${text.replaceAll("'", "''")}'`
    default:
      return text
  }
}
