/** Returns the code of an error of the system, a driver or a database. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/**
 * Returns the message of anything that was thrown, or its code if it has no message. Drivers may create errors in another
 * realm, where they are not instances of Error.
 */
export function reasonOf(error: unknown): string {
  const { message = error } = (error ?? {}) as { readonly message?: unknown }
  return String(message) || (codeOf(error) ?? 'no reason was given')
}
