import { inspect } from 'node:util'
import type { ODataError } from '../../lib/errors/odata-error.js'

/** Adds the causes of internal errors to responses, whose own text hides them, so that failed tests print them. */
export class FailureCauses {
  private readonly printed = new Set<string>()
  private last: unknown

  /** The option `onError` of the service. */
  readonly onError = (error: ODataError): void => {
    this.last = error.cause ?? error
  }

  /** @returns the text with the cause of its error: with stack the first time, then as one line */
  explain(status: number, text: string): string {
    if (status !== 500 || this.last === undefined) return text
    const cause = inspect(this.last)
    const [firstLine = ''] = cause.split('\n')
    const shown = this.printed.has(cause) ? `${firstLine} (as before)` : cause
    this.printed.add(cause)
    this.last = undefined
    return `${text}\nCaused by ${shown}`
  }
}
