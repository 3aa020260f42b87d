import { decoded } from './resource.js'

/** A place within the page, as it stands behind `#`. */
export type Route =
  | { readonly view: 'start' }
  | { readonly view: 'resource'; readonly address: string }
  | { readonly view: 'types'; readonly name: string }
  | { readonly view: 'diagram' }
  | { readonly view: 'files'; readonly path: string }

export function readRoute(hash: string): Route {
  const text = hash.replace(/^#/, '')
  if (text.startsWith('/'))
    return text === '/' ? { view: 'start' } : { view: 'resource', address: text.slice(1) }
  const [view, ...rest] = text.split('/')
  if (view === 'types') return { view, name: decoded(rest.join('/')) }
  if (view === 'diagram') return { view }
  if (view === 'files') return { view, path: `/${rest.map(decoded).join('/')}` }
  return { view: 'start' }
}

export function resourceHash(address: string): string {
  return `#/${address}`
}

export function typeHash(qualifiedName: string): string {
  return `#types/${encodeURIComponent(qualifiedName)}`
}

/** @param path of a file, from the root of the service, with a slash before it */
export function fileHash(path: string): string {
  return `#files${path === '/' ? '' : path.split('/').map(encodeURIComponent).join('/')}`
}
