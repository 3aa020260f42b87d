/**
 * An address that may be followed: of the web, below this page, or of a picture in a text. Whatever else comes, above all
 * `javascript:`, leads nowhere.
 */
export function safeAddress(address: string): string {
  // Browsers leave out control characters and blanks before they look for the scheme.
  const scheme = /^([^/?#]*?):/.exec(address.replace(/[\u0000-\u0020]/g, ''))?.[1]?.toLowerCase()
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return address
  if (/^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[\w+/=]*$/.test(address)) return address
  return '#'
}
