const special = /["\\\u0000-\u001f\ud800-\udfff]/

/** A JSON string. */
export function jsonString(text: string): string {
  return `"${escapeString(text)}"`
}

/** Returns what is between the quotes. Most strings have nothing to escape; testing that costs less than JSON.stringify. */
export function escapeString(text: string): string {
  return special.test(text) ? escaped(text) : text
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
