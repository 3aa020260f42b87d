/**
 * `charCodeAt.call(text, index)` is `text.charCodeAt(index)`. V8 has a dozen representations of strings and looks the
 * method up for each, in every call. For dates in feeds that takes longer than the rest of parsing them.
 */
export const { charCodeAt } = String.prototype as {
  readonly charCodeAt: (this: string, index: number) => number
}
