/** What `trim` takes away, as Unicode has it. */
export const whiteSpace = [
  '\t\n\v\f\r \u0085\u00a0\u1680',
  '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
  '\u2028\u2029\u202f\u205f\u3000',
].join('')

/**
 * The first text behind all that begin with some text, code point by code point; undefined when there is none. With it
 * an index finds what begins so.
 */
export function behindPrefix(prefix: string): string | undefined {
  const points = [...prefix].map((one) => one.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === largestPoint) continue
    // Surrogates are no characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    return String.fromCodePoint(...points, next)
  }
  return undefined
}

const largestPoint = 0x10ffff
