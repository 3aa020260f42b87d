/** A system query option and its value before percent-encoding; undefined for absent ones. */
export type QueryOption = readonly [name: string, value: string | number | undefined]

/** Characters that are legal in queries, and more readable without encoding. */
const legible = /%(?:2C|2F|3A|24|3B|40)/g

/** Formats query options. Blanks are `%20`: some services do not accept `+`. */
export function queryText(options: readonly QueryOption[]): string {
  const given = options.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeValue(String(value))}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

/** Formats the options within `$expand=Items(…)`, before percent-encoding. */
export function v4InnerOptions(options: readonly QueryOption[]): string {
  const given = options.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return given.length === 0 ? '' : `(${given.join(';')})`
}

function encodeValue(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(legible, (encoded) => decodeURIComponent(encoded))
}
