import { ByteEscapes } from '../util/byte-escapes.js'
import { escaper } from '../util/escape-characters.js'

// XML 1.0 cannot represent most control characters and lone surrogates: they become U+FFFD, so that documents stay valid.

const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const whiteSpace = /[\t\n]/g

const references = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ['\r', '&#13;'],
])

const special = /[&<>"\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/
const referenceTo = (character: string): string | undefined => references.get(character)

/** Escapes text for elements. */
export const escapeText = escaper(special, referenceTo, escapeIllegal)

/** Escapes of {@link escapeText}. */
export const textEscapes = new ByteEscapes(special, referenceTo)

/** Escapes text for attributes, where line ends and tabs need references too. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replace(whiteSpace, (character) => (character === '\t' ? '&#9;' : '&#10;'))
}

/** Escapes text with characters that XML cannot represent, or with surrogates. */
function escapeIllegal(text: string): string {
  const legal = text.toWellFormed().replace(illegal, '\ufffd')
  return legal.replace(/[&<>"\r]/g, (character) => references.get(character) ?? '')
}
