import type { UpstreamClient } from './upstream-client.js'
import { badGateway } from './upstream-errors.js'

/** The metadata document of a service. */
export interface Metadata {
  readonly text: string
  readonly etag: string | undefined
}

/** Reads the metadata document. @returns an empty text if it has the given ETag */
export async function readMetadata(client: UpstreamClient, known?: string): Promise<Metadata> {
  const response = await client.send({
    method: 'GET',
    path: '$metadata',
    headers: { accept: 'application/xml', 'if-none-match': known },
  })
  const { etag } = response.headers
  if (response.status === 304) {
    response.discard()
    return { text: '', etag: known }
  }
  if (response.status !== 200) {
    response.discard()
    throw refusedMetadata(response.status)
  }
  return { text: await response.text(), etag }
}

/** Creates the error for the application that opens the service. Clients do not see it. */
function refusedMetadata(status: number): Error {
  const message = `The upstream service responds to GET $metadata with status ${status}.`
  const isUnauthorized = status === 401 || status === 403
  const hint = ' The option `headers` must return credentials for it, too: it is called without a call.'
  return badGateway(message, undefined, isUnauthorized ? message + hint : message)
}
