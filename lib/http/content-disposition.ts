import { create } from 'content-disposition'

/**
 * Formats the header `Content-Disposition`. File names are always quoted: some clients do not accept them as tokens.
 *
 * @param type `attachment` or `inline`
 */
export function contentDisposition(fileName: string | undefined, type: string): string {
  return create(fileName, { type }).replace(/^([a-z]+; filename=)([^";]+)/, '$1"$2"')
}
