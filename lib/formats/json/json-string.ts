const special = /["\\\u0000-\u001f\ud800-\udfff]/

/** Up to this length a loop is faster than a regular expression. */
const shortText = 40

/** A JSON string. */
export function jsonString(text: string): string {
  return `"${escapeString(text)}"`
}

/** What stands between its quotes. Most have nothing to escape, and looking for that is cheaper than JSON.stringify. */
export function escapeString(text: string): string {
  if (text.length > shortText) return special.test(text) ? escaped(text) : text
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) {
      return escaped(text)
    }
  }
  return text
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
