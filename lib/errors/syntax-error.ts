import type { ODataErrorCode } from './error-codes.js'
import { ODataError } from './odata-error.js'

const window = 60

/**
 * Creates an error at a position of an input: the message contains the position, and the input with a caret below it.
 *
 * @param message one or more sentences; the last full stop may be missing
 * @param source the whole input, for example the value of `$filter`
 * @param position zero-based index into `source`
 */
export function errorAt(
  message: string,
  source: string,
  position: number,
  code: ODataErrorCode = 'InvalidSystemQueryOption',
): ODataError {
  return new ODataError(code, {
    message: `${sentence(message)} At position ${position}:\n${caret(source, position)}`,
    details: { position, source },
  })
}

function sentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`
}

/** Formats the input around the position, with a caret in the next line. */
function caret(source: string, position: number): string {
  const start = Math.max(0, position - window)
  const end = Math.min(source.length, position + window)
  const before = start > 0 ? '…' : ''
  const after = end < source.length ? '…' : ''
  const line = source.slice(start, end).replace(/[\t\r\n]/g, ' ')
  return `${before}${line}${after}\n${' '.repeat(before.length + position - start)}^`
}
