import { ODataError } from '../errors/odata-error.js'
import type { BatchLimits } from './batch-part.js'

/** A part of a batch, and a request of its change set, both counted from one. */
export interface PartLocation {
  readonly part: number
  readonly request?: number
}

/**
 * Returns the error for a malformed batch, which is rejected before any of its requests is executed.
 *
 * @param message a sentence
 * @param position byte offset in the body
 * @param location absent outside of all parts
 */
export function batchError(message: string, position: number, location?: PartLocation): ODataError {
  const where = location === undefined ? '' : `part ${location.part}, `
  const inner = location?.request === undefined ? '' : `request ${location.request} of its change set, `
  return new ODataError('BadRequest', {
    message: `$batch, ${where}${inner}byte ${position}: ${message}`,
    details: { position, ...location },
  })
}

const things: Readonly<Record<keyof BatchLimits, readonly [whole: string, counted: string]>> = {
  batchParts: ['A batch', 'parts'],
  changeSetRequests: ['A change set', 'requests'],
  batchRequests: ['A batch', 'requests in all its parts'],
  batchBytes: ['A batch', 'bytes'],
}

/** Returns the error for a batch that exceeds a limit: `PayloadTooLarge` for its bytes, otherwise `LimitExceeded`. */
export function batchLimitExceeded(limit: keyof BatchLimits, limits: BatchLimits): ODataError {
  const [whole, counted] = things[limit]
  return new ODataError(limit === 'batchBytes' ? 'PayloadTooLarge' : 'LimitExceeded', {
    message: `${whole} may have at most ${limits[limit]} ${counted}, which is the limit '${limit}' of this service.`,
    details: { limit },
  })
}

/** Quotes and truncates input for error messages, without control characters. */
export function quote(text: string): string {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text
  return `'${shown.replace(/[^\x20-\x7e\xa0-\uffff]/g, '?')}'`
}
