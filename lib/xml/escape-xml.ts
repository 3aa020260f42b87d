/**
 * Text for XML documents. XML 1.0 has no way at all to write most control characters, and no lone surrogates:
 * they become U+FFFD, the replacement character, so that one odd name never breaks a document.
 */

const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const whiteSpace = /[\t\n]/g

/** What stands for characters that cannot stand for themselves, in the order in which they are replaced. */
const textEscapes: readonly (readonly [character: string, reference: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
]

/** Text between tags. */
export function escapeText(text: string): string {
  return special.test(text) ? escapeSpecial(text) : text
}

/** Text between the quotes of an attribute, where line ends and tabs must be written as references. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replace(whiteSpace, (character) => (character === '\t' ? '&#9;' : '&#10;'))
}

/** True when every character of the text can stand in an XML document. */
export function isXmlText(text: string): boolean {
  return text.search(illegal) < 0 && text.isWellFormed()
}

function escapeSpecial(text: string): string {
  let escaped = text.toWellFormed().replace(illegal, '\ufffd')
  for (const [character, reference] of textEscapes) escaped = escaped.replaceAll(character, reference)
  return escaped
}
