import { invalidContent } from './upstream-errors.js'

const opaqueTag = /^(?:W\/)?"[\x20\x21\x23-\x7e\x80-\xff]*"$/

/**
 * Returns an ETag of the service as headers have it; some services omit the quotes.
 *
 * @throws ODataError for a value that is not an ETag
 */
export function etagOf(tag: unknown): string | undefined {
  if (tag === undefined || tag === null || tag === '') return undefined
  if (typeof tag === 'string') {
    if (opaqueTag.test(tag)) return tag
    const quoted = `"${tag.replaceAll('"', '')}"`
    if (opaqueTag.test(quoted)) return quoted
  }
  throw invalidTag()
}

const headerText = /^[\x20-\x7e\x80-\xff]*$/

/** Returns a tag as the service sent it. @throws ODataError for characters that headers cannot have */
export function headerTag(tag: string): string {
  if (!headerText.test(tag)) throw invalidTag()
  return tag
}

function invalidTag(): Error {
  return invalidContent('sent an ETag with characters that ETags cannot have.')
}
