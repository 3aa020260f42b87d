/** Describes a value for an error message: strings are quoted and truncated. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return `'${truncate(value, 40)}'`
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'an invalid Date' : value.toISOString()
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value).slice(0, 60)
}

/** Truncates a string of a client for an error message; an ellipsis marks the omitted end. */
export function truncate(text: string, maxLength = 100): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
}
