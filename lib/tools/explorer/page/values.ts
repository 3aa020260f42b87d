/** How a value is shown: text, and what kind of text that is. */
export interface ShownValue {
  readonly text: string
  readonly kind: 'null' | 'number' | 'boolean' | 'date' | 'text' | 'binary'
}

const numbers = /^Edm\.(?:Byte|SByte|Int16|Int32|Int64|Decimal|Double|Single)$/

export function isNumberType(type: string): boolean {
  return numbers.test(type)
}

/** @param type name of a simple type; of values that are in no model it need not be known */
export function showValue(value: unknown, type: string): ShownValue {
  if (value === null || value === undefined) return { text: 'null', kind: 'null' }
  if (typeof value === 'boolean') return { text: String(value), kind: 'boolean' }
  if (typeof value === 'number') return { text: String(value), kind: 'number' }
  if (typeof value !== 'string') return { text: JSON.stringify(value), kind: 'text' }
  if (isNumberType(type)) return { text: value, kind: 'number' }
  if (type === 'Edm.Binary') return { text: showSize(byteCount(value)), kind: 'binary' }
  if (type === 'Edm.DateTime' || type === 'Edm.DateTimeOffset') return { text: showDate(value), kind: 'date' }
  if (type === 'Edm.Time') return { text: showTime(value), kind: 'date' }
  return { text: value, kind: 'text' }
}

/** `/Date(1735722808000+0060)/` as ISO 8601 with a blank; without offset there is no zone, and none is shown. */
export function showDate(value: string): string {
  const match = /^\/Date\((-?\d+)([+-]\d{4})?\)\/$/.exec(value)
  if (match === null) return value
  const [, milliseconds = '', offset] = match
  const minutes = Number(offset ?? 0)
  const date = new Date(Number(milliseconds) + (offset === undefined ? 0 : minutes * 60_000))
  if (Number.isNaN(date.getTime())) return value
  const text = date
    .toISOString()
    .replace('T', ' ')
    .replace(/(?::00)?\.000Z$|Z$/, '')
  const day = text.replace(/ 00:00$/, '')
  if (offset === undefined) return day
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `${text} ${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

function showTime(value: string): string {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(\.\d+)?S)?$/.exec(value)
  if (match === null) return value
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] = match
  return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}:${seconds.padStart(2, '0')}${fraction}`
}

function byteCount(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

/** `1.4 MB` */
export function showSize(bytes: number): string {
  const units = [bytes === 1 ? 'byte' : 'bytes', 'kB', 'MB', 'GB']
  let [size, unit] = [bytes, 0]
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${unit === 0 ? String(size) : size.toFixed(size < 10 ? 1 : 0)} ${units[unit] ?? ''}`
}
