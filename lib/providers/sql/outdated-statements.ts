/**
 * Whether PostgreSQL refused a prepared statement that the same text would not be refused for: a column has another type
 * since, or the session has lost what it had prepared, or is another one that has something else under the name.
 */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown }
  return code === '26000' || code === '42P05' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}
