/**
 * What a `Slug` header says: text in UTF-8 that is percent-encoded. It is a hint, so one that says nothing is none.
 *
 * @spec RFC 5023 9.7
 */
export function slugOf(header: string | undefined): string | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
