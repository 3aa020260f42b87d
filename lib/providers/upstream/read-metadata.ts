import type { UpstreamClient } from './upstream-client.js'
import { badGateway } from './upstream-errors.js'

/** The metadata document of a service in a language. */
export interface Metadata {
  readonly text: string
  readonly etag: string | undefined
}

/**
 * Reads the metadata document.
 *
 * @param known returned if the service still has this document
 * @param language its labels have this language, if the service has it. Default: English.
 */
export async function readMetadata(
  client: UpstreamClient,
  known?: Metadata,
  language = 'en',
): Promise<Metadata> {
  const response = await client.send({
    method: 'GET',
    path: '$metadata',
    headers: { accept: 'application/xml', 'accept-language': language, 'if-none-match': known?.etag },
  })
  const { etag } = response.headers
  if (response.status === 304 && known !== undefined) {
    response.discard()
    return known
  }
  if (response.status !== 200) {
    response.discard()
    throw refusedMetadata(response.status)
  }
  const text = await response.text()
  return text === known?.text ? known : { text, etag }
}

/** Creates the error for the application that opens the service. Clients do not see it. */
function refusedMetadata(status: number): Error {
  const message = `The upstream service responds to GET $metadata with status ${status}.`
  const isUnauthorized = status === 401 || status === 403
  const hint = ' The option `headers` must return credentials for it, too: it is called without a call.'
  return badGateway(message, undefined, isUnauthorized ? message + hint : message)
}
