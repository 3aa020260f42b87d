/** A value as text, with the CSS class of its kind. */
interface FormattedValue {
  readonly text: string
  readonly kind: 'null' | 'number' | 'boolean' | 'date' | 'text' | 'binary'
}

const NUMBER_TYPES = /^Edm\.(?:Byte|SByte|Int16|Int32|Int64|Decimal|Double|Single)$/

export function isNumberType(type: string): boolean {
  return NUMBER_TYPES.test(type)
}

/** Returns true for images that browsers show and that contain no scripts. */
export function isBitmap(contentType: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp|bmp)$/.test(contentType)
}

/** @param type name of a primitive type; empty when it is unknown */
export function formatValue(value: unknown, type: string): FormattedValue {
  if (value === null || value === undefined) return { text: 'null', kind: 'null' }
  if (typeof value === 'boolean') return { text: String(value), kind: 'boolean' }
  if (typeof value === 'number') return { text: String(value), kind: 'number' }
  if (typeof value !== 'string') return { text: JSON.stringify(value), kind: 'text' }
  if (isNumberType(type)) return { text: value, kind: 'number' }
  if (type === 'Edm.Binary') return { text: formatSize(byteCount(value)), kind: 'binary' }
  if (type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset')
    // Values that the user has entered are in ISO 8601.
    return { text: formatDate(value).replace(/^(\d{4}-\d\d-\d\d)T/, '$1 '), kind: 'date' }
  if (type === 'Edm.Time') return { text: formatTime(value), kind: 'date' }
  return { text: value, kind: 'text' }
}

/** Formats `/Date(1735722808000+0060)/` as ISO 8601 with a blank, in its own time zone. */
export function formatDate(value: string): string {
  const match = /^\/Date\((-?\d+)([+-]\d{4})?\)\/$/.exec(value)
  if (match === null) return value
  const [, milliseconds = '', offset] = match
  const minutes = Number(offset ?? 0)
  const date = new Date(Number(milliseconds) + minutes * 60_000)
  if (Number.isNaN(date.getTime())) return value
  const text = date
    .toISOString()
    .replace('T', ' ')
    .replace(/(?::00)?\.000Z$|Z$/, '')
  if (offset === undefined) return text.replace(/ 00:00$/, '')
  return `${text} ${minutes < 0 ? '-' : '+'}${twoDigits(Math.abs(minutes) / 60)}:${twoDigits(Math.abs(minutes) % 60)}`
}

function twoDigits(value: number): string {
  return String(Math.trunc(value)).padStart(2, '0')
}

function formatTime(value: string): string {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(\.\d+)?S)?$/.exec(value)
  if (match === null) return value
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}:${seconds.padStart(2, '0')}${fraction}`
}

function byteCount(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** Formats a number of bytes: `1.4 MB`. */
export function formatSize(bytes: number): string {
  const units = [bytes === 1 ? 'byte' : 'bytes', 'kB', 'MB', 'GB']
  let [size, unit] = [bytes, 0]
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? String(size) : size.toFixed(size < 10 ? 1 : 0)} ${units[unit] ?? ''}`
}

/** Longer documents stay unformatted, because formatting them would block the browser. */
const MAX_FORMATTED_LENGTH = 400_000

/** Indents a document in JSON or XML; returns any other as it is. */
export function formatDocument(text: string, contentType: string): string {
  if (text.length > MAX_FORMATTED_LENGTH) return text
  if (contentType.includes('json')) return formatJson(text)
  return contentType.includes('xml') ? formatXml(text) : text
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** Before a start tag that follows a tag, and between two end tags. */
const XML_LINE_BREAK = /(?<=>)\s*(?=<[^/])|(?<=(?:<\/[^>]*|\/)>)\s*(?=<\/)/

function formatXml(text: string): string {
  let depth = 0
  const lines = text
    .trim()
    .split(XML_LINE_BREAK)
    .map((line) => {
      const opened = line.match(/<[^/?!]/g)?.length ?? 0
      const closed = line.match(/<\/|\/>/g)?.length ?? 0
      const next = Math.max(0, depth + opened - closed)
      const indent = '  '.repeat(Math.min(depth, next))
      depth = next
      return indent + line
    })
  return lines.join('\n')
}
