/**
 * `charCodeAt.call(text, index)` is `text.charCodeAt(index)`. V8 stores strings in a dozen representations and looks the
 * method up for each of them, in every call: in a feed that takes longer than the rest of parsing its dates.
 */
export const { charCodeAt } = String.prototype as {
  readonly charCodeAt: (this: string, index: number) => number
}
