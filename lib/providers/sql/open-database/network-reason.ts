import { ModelError } from '../../../edm/build/model-error.js'
import { nameOfUrl } from './database-source.js'
import { codeOf, reasonOf } from '../../../util/thrown-error.js'

/** Milliseconds after which a server that does not respond cannot be reached. */
export const CONNECT_TIMEOUT_MS = 10_000

/** Describes an error of a driver for a server: it cannot be reached, or its tables cannot be read. */
export function networkReason(url: URL, product: string, error: unknown): string {
  const shown = nameOfUrl(url)
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
      return `No server listens at ${shown}. Check that ${product} is running there, and that the port is correct.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host '${url.hostname}' was not found.`
    default:
      return isFromServer(error)
        ? `The tables of ${shown} cannot be read: ${reasonOf(error)}.`
        : `${shown} cannot be reached: ${reasonOf(error)}.`
  }
}

/** Returns true for errors that the server has sent, with the members of its driver, and for those of the model. */
function isFromServer(error: unknown): boolean {
  const { severity, sqlState } = error as { readonly severity?: unknown; readonly sqlState?: unknown }
  return severity !== undefined || sqlState !== undefined || error instanceof ModelError
}

/** Returns the name of the database in a URL. */
export function databaseOf({ pathname }: URL): string {
  return decodeURIComponent(pathname.slice(1))
}
