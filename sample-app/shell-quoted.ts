/**
 * Quotes a URL for a shell, which would otherwise expand `$filter` and treat `&` as the end of the command.
 */
export function shellQuoted(address: string): string {
  const encoded = address.replaceAll(' ', '%20').replaceAll("'", '%27')
  return /^[\w:/.-]*$/.test(encoded) ? encoded : `'${encoded}'`
}
