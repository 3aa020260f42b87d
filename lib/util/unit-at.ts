// The method is only called with a string as `this`.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { charCodeAt } = String.prototype

/**
 * Returns the UTF-16 unit at an index, as `text.charCodeAt(index)` does. V8 stores strings in a dozen representations and
 * looks the method up for each of them, in every call: in a feed that takes longer than the rest of parsing its dates.
 */
export function unitAt(text: string, index: number): number {
  return charCodeAt.call(text, index)
}
