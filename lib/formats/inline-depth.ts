import { ODataError } from '../errors/odata-error.js'
import { payloadFault } from './payload-faults.js'
import type { ReadOptions } from './payload.js'

/**
 * The options for entities inside of another one.
 *
 * @param top the depth that the request may have
 * @throws ODataError BadRequest where there may be none, LimitExceeded where there are too many levels of them
 */
export function optionsInside(options: ReadOptions, path: string): ReadOptions {
  if (options.depth > 0) return { ...options, depth: options.depth - 1, untyped: undefined }
  if (!path.includes('/')) {
    throw payloadFault(`'${path}' holds an entity, which cannot be written here: write only a link to it.`)
  }
  throw new ODataError('LimitExceeded', {
    message: `'${path}' is an entity within too many others: write it in a request of its own.`,
  })
}
