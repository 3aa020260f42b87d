const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

/** Returns true if XML can represent every character of a text. */
export function isXmlText(text: string): boolean {
  return !illegal.test(text) && text.isWellFormed()
}
