/**
 * Tells links that only repeat what a read has shown: `Products(1)/Category` in the entity Products(1). They say
 * nothing, while a link to be made names its target, `Categories(2)`.
 *
 * @param uri as it stands in the body
 * @param navigation name of the navigation property
 * @param selves addresses that the body gives for the entity itself; without one any owner will do
 * @param service absolute address of the service, with a slash at the end
 * @spec MS-ODATA 2.2.6.3.9 (deferred content)
 */
export function isEcho(uri: string, navigation: string, selves: readonly string[], service: string): boolean {
  const path = relative(uri, service)
  const slash = path.lastIndexOf('/')
  if (slash < 0 || path.slice(slash + 1) !== navigation) return false
  const owner = path.slice(0, slash)
  return selves.length === 0 || selves.some((self) => relative(self, service) === owner)
}

/** The address below the service, decoded, so that two spellings of it are one text. */
function relative(uri: string, service: string): string {
  const text = uri.trim()
  const path = text.startsWith(service) ? text.slice(service.length) : text
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
