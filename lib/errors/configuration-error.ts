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
