import { ODataError } from '../../lib/errors/odata-error.js'

/** Returns the error that an action throws; anything but an ODataError fails the spec. */
export function errorOf(action: () => unknown): ODataError {
  let result: unknown
  try {
    result = action()
  } catch (error) {
    if (error instanceof ODataError) return error
    throw error
  }
  throw new Error(`Expected an ODataError, but got ${String(result)}.`)
}
