import { ODataError } from '../errors/odata-error.js'
import type { BatchLimits } from './batch-part.js'

/** Which part of a batch is being read, and which request of its change set; both counted from one. */
export interface PartLocation {
  readonly part: number
  readonly request?: number
}

/**
 * What is wrong with the form of a batch. Such a fault ends the whole batch, before anything of it is done.
 *
 * @param message a sentence
 * @param position where in the body it was found, in bytes from its beginning
 * @param location absent when it is outside of all parts
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

/** The error of a batch that is larger than a limit allows: `PayloadTooLarge` for its bytes, else `LimitExceeded`. */
export function batchLimitExceeded(limit: keyof BatchLimits, limits: BatchLimits): ODataError {
  const [whole, counted] = things[limit]
  return new ODataError(limit === 'batchBytes' ? 'PayloadTooLarge' : 'LimitExceeded', {
    message: `${whole} may have at most ${limits[limit]} ${counted}, which is the limit '${limit}' of this service.`,
    details: { limit },
  })
}

/** What a client wrote, short enough for a message and without characters that could break it. */
export function quote(text: string): string {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text
  return `'${shown.replace(/[^\x20-\x7e\xa0-\uffff]/g, '?')}'`
}
