import { inspect } from 'node:util'
import type { ODataError } from '../../lib/errors/odata-error.js'

/** Adds the causes of internal errors to responses, whose own text hides them, so that failed tests print them. */
export class FailureCauses {
  private last: unknown

  /** The option `onError` of the service. */
  readonly onError = (error: ODataError): void => {
    this.last = error.cause ?? error
  }

  /** @returns the text with the cause of its error in one line: responses of several services are compared */
  explain(status: number, text: string): string {
    if (status !== 500 || this.last === undefined) return text
    const [cause] = (this.last instanceof Error ? String(this.last) : inspect(this.last)).split('\n')
    this.last = undefined
    return `${text}\nCaused by ${String(cause)}`
  }
}
