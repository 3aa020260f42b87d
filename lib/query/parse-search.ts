/**
 * Splits the value of the query option `search` into terms: words, and phrases in double quotes, in which a backslash
 * escapes a quote or a backslash. A phrase without closing quote extends to the end, so that each prefix of a valid text is
 * valid. Asterisks around a word are dropped.
 */
export function parseSearch(text: string): string[] {
  const terms: string[] = []
  for (const [, phrase, word = ''] of text.matchAll(term)) {
    const value = phrase === undefined ? withoutAsterisks(word) : phrase.replace(escaped, '$1')
    if (value !== '') terms.push(value)
  }
  return terms
}

/** White space as Unicode defines it: unlike `\s`, with U+0085 and without U+FEFF. */
const space = String.raw`\p{White_Space}`
const term = new RegExp(String.raw`"((?:[^"\\]|\\["\\]?)*)(?:"|$)|([^${space}"][^${space}]*)`, 'gu')
const escaped = /\\(["\\])/g

function withoutAsterisks(word: string): string {
  let start = 0
  let end = word.length
  while (word[start] === '*') start++
  while (end > start && word[end - 1] === '*') end--
  return word.slice(start, end)
}
