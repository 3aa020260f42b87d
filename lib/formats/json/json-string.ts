const special = /["\\\u0000-\u001f\ud800-\udfff]/

/** Up to this length a loop is faster than a regular expression. */
const shortText = 40

/** A JSON string. Most have nothing to escape, and looking for that is cheaper than JSON.stringify. */
export function jsonString(text: string): string {
  if (text.length > shortText) return special.test(text) ? JSON.stringify(text) : `"${text}"`
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) {
      return JSON.stringify(text)
    }
  }
  return `"${text}"`
}
