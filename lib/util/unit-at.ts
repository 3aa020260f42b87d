const { charCodeAt } = String.prototype as { readonly charCodeAt: (this: string, index: number) => number }

/**
 * Returns the UTF-16 unit at an index, as `text.charCodeAt(index)` does. V8 stores strings in a dozen representations and
 * looks the method up for each of them, in every call: in a feed that takes longer than the rest of parsing its dates.
 */
export function unitAt(text: string, index: number): number {
  return charCodeAt.call(text, index)
}
