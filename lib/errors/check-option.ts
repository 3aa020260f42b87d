import { didYouMean } from './suggestions.js'

/** An invalid argument of a function that starts a service. {@link withCallerName} adds the name of that function. */
export class ConfigurationError extends TypeError {}

/**
 * Runs a function that validates arguments, and adds the name of the public function to its errors.
 *
 * @throws TypeError for a ConfigurationError, with `caller` before its message
 */
export function withCallerName<Started>(caller: string, start: () => Started): Started {
  try {
    return start()
  } catch (error) {
    if (error instanceof ConfigurationError) throw new TypeError(`${caller}: ${error.message}`)
    throw error
  }
}

/** Checks the names of the members of an option. @param prefix of the names in messages: `limits.` */
export function checkNames(given: object, known: readonly string[], what: string, prefix = ''): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw invalid(
      `'${prefix}${name}' is not ${what}.${didYouMean(name, known)} Accepted: ${known.join(', ')}`,
    )
  }
}

/** Checks that an option is a function or absent. */
export function checkFunction(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'function') throw invalid(`${name} must be a function`)
}

/** Checks that an option has one of some values or is absent. */
export function checkChoice(name: string, value: unknown, choices: readonly unknown[]): void {
  if (value !== undefined && !choices.includes(value)) {
    throw invalid(`${name} must be ${choices.map((one) => JSON.stringify(one)).join(' or ')}`)
  }
}

/** Creates the error for an invalid option. @param message one sentence; the full stop may be missing */
export function invalid(message: string): ConfigurationError {
  return new ConfigurationError(message.replace(/(?<![.?])$/, '.'))
}
