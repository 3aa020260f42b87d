import { invalid } from '../errors/check-option.js'

/** Normalizes the service root for links: encoded, without query, with a trailing slash. */
export function publicRoot(address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalid(`serviceRoot must be an absolute URL such as 'https://example.org/odata/'`)
  }
  if (url.search !== '' || url.hash !== '') throw invalid('serviceRoot must not have a query or fragment')
  return `${url.origin}${url.pathname.replace(/\/*$/, '')}/`.replaceAll('&', '%26')
}
