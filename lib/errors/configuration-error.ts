/**
 * A mistake in what a service is started with. Whoever the application has called puts its own name before the message:
 * {@link withCallerName}.
 */
export class ConfigurationError extends TypeError {}

/**
 * Starts something for the application.
 *
 * @param caller what the application has called
 * @throws TypeError for a StartFault, with the name of the caller before its message
 */
export function withCallerName<Started>(caller: string, start: () => Started): Started {
  try {
    return start()
  } catch (fault) {
    if (fault instanceof ConfigurationError) throw new TypeError(`${caller}: ${fault.message}`)
    throw fault
  }
}
