/**
 * An address as one word of a shell, which would otherwise replace `$filter` and take `&` for the end of the command.
 */
export function shellQuoted(address: string): string {
  const encoded = address.replaceAll(' ', '%20').replaceAll("'", '%27')
  return /^[\w:/.-]*$/.test(encoded) ? encoded : `'${encoded}'`
}
