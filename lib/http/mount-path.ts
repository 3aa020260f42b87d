import { StartFault } from '../errors/start-fault.js'

const pathPattern = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*\/?$/

/**
 * A path that a service is mounted under, without a slash at its end; `/` becomes empty.
 *
 * @throws StartFault with what to write instead
 */
export function checkedMountPath(path: unknown): string {
  if (typeof path === 'string' && pathPattern.test(path)) return path.replace(/\/$/, '')
  throw new StartFault(
    `mountPath must be a path such as '/v2/shop', encoded as in an address, not ${JSON.stringify(path)}.`,
  )
}

/**
 * Cuts a mount path off a request target as it was sent.
 *
 * @param target path and query, also with `http://host` in front
 * @param mountPath without a slash at its end
 * @returns undefined when it is not below the mount path
 */
export function belowMountPath(target: string, mountPath: string): string | undefined {
  const path = target.startsWith('/') ? target : withoutOrigin(target)
  if (!path.startsWith(mountPath)) return undefined
  const rest = mountPath === '' ? path : path.slice(mountPath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined
}

/** Proxies are sent whole addresses, and some pass them on. */
function withoutOrigin(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '')
}
