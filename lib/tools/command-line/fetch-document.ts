import type { CommandIo } from './command.js'
import { SourceError } from './errors.js'
import { codeOf, reasonOf } from '../../util/thrown-error.js'

/** Settings for requests to a service. */
export interface FetchSettings {
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Timeout for the whole download, in seconds. */
  readonly timeout: number
}

const MAX_REDIRECTS = 5

/**
 * Downloads the metadata document of a service.
 *
 * @param address the URL of the service root or of the document; credentials in it are sent as basic authentication
 * @throws SourceError
 */
export async function fetchMetadata(
  address: string,
  settings: FetchSettings,
  io: CommandIo,
): Promise<string> {
  const url = urlOf(address)
  const isDocument = /(?:\/(?:\$|%24)metadata|\.edmx|\.xml)$/i.test(url.pathname)
  if (isDocument) return fetchDocument(url, settings, io)
  const metadata = new URL(url)
  metadata.pathname = `${url.pathname.replace(/\/$/, '')}/$metadata`
  try {
    return await fetchDocument(metadata, settings, io)
  } catch (error) {
    if (!(error instanceof NoDocumentError)) throw error
    // The address may be a document although its name does not show it.
    return await fetchDocument(url, settings, io).catch(() => {
      throw error
    })
  }
}

/** The server responded, but not with a metadata document. */
class NoDocumentError extends SourceError {}

function urlOf(address: string): URL {
  try {
    return new URL(address)
  } catch {
    throw new SourceError(`'${address}' is not a valid URL. Example: https://host/path/of/the/service/`)
  }
}

async function fetchDocument(url: URL, settings: FetchSettings, io: CommandIo): Promise<string> {
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(settings.timeout * 1000)])
  const progress = io.progress(`Requesting ${withoutPassword(url)} ...`)
  try {
    const response = await follow(url, settings, signal)
    if (!response.ok) throw refusal(response, url)
    const body = response.body ?? new ReadableStream<Uint8Array>({ start: (one) => one.close() })
    const bytes = await readBytes(body, withoutPassword(url), (count) => {
      progress.update(`Reading ${withoutPassword(url)}: ${String(Math.ceil(count / 1024))} KiB`)
    })
    return documentIn(bytes, response, url)
  } catch (error) {
    throw error instanceof SourceError ? error : new SourceError(failure(error, url, settings))
  } finally {
    progress.end()
  }
}

/** Follows redirects. Only the origin that the user named receives credentials and `--header`. */
async function follow(url: URL, { headers }: FetchSettings, signal: AbortSignal): Promise<Response> {
  const user = basicOf(url)
  let target = new URL(url)
  target.username = target.password = ''
  for (let count = 0; ; count++) {
    const own = target.origin === url.origin ? [...user, ...headers] : []
    // Node's fetch sends '*' by default, for which some services, such as CAP, return an error.
    const language = own.some(([name]) => name.toLowerCase() === 'accept-language')
      ? []
      : [['accept-language', 'en']]
    const response = await fetch(target, {
      // Some services support only one media type, and not the most specific one.
      headers: [
        ['accept', 'application/xml, application/edmx+xml;q=0.9, */*;q=0.1'],
        ...language,
        ...own,
      ] as [string, string][],
      redirect: 'manual',
      signal,
    })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    if (count === MAX_REDIRECTS) throw new SourceError(`${withoutPassword(url)} redirects too many times.`)
    target = redirected(location, target, url)
  }
}

/** Returns the target of a redirect. @throws SourceError unless it is an HTTP URL */
function redirected(location: string, from: URL, requested: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target
  const place = target === undefined ? `'${location.slice(0, 100)}'` : withoutPassword(target)
  throw new SourceError(
    `${withoutPassword(requested)} redirects to ${place}, which is not an http or https URL.`,
  )
}

function basicOf({ username, password }: URL): [string, string][] {
  if (username === '') return []
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return [['authorization', `Basic ${Buffer.from(text).toString('base64')}`]]
}

/** Returns the URL for messages, without credentials. */
function withoutPassword(url: URL): string {
  const copy = new URL(url)
  copy.username = copy.password = ''
  return copy.href
}

function refusal({ status, statusText }: Response, url: URL): SourceError {
  const description = `${withoutPassword(url)} responds with ${String(status)}${/^[\w' -]+$/.test(statusText) ? ` ${statusText}` : ''}`
  if (status === 401) {
    return new SourceError(
      `${description}: authentication is required. Use https://user:password@${url.host}${url.pathname}, or --header 'Authorization: ...'.`,
    )
  }
  if (status === 403) return new SourceError(`${description}: the user is not allowed to read it.`)
  if (status === 404 || status === 405 || status === 410) {
    return new NoDocumentError(
      `${description}. Is that the root of the service, or the address of its metadata document?`,
    )
  }
  return new SourceError(`${description}.`)
}

function documentIn(bytes: Uint8Array, response: Response, url: URL): string {
  const text = decodeDocument(bytes)
  const type = response.headers.get('content-type') ?? ''
  const [start = ''] = /^\uFEFF?\s*.{0,200}/s.exec(text) ?? []
  if (/^\uFEFF?\s*<(?:!doctype html|html)\b/i.test(start) || type.startsWith('text/html')) {
    throw new NoDocumentError(
      `${withoutPassword(url)} responds with an HTML page instead of a metadata document. If it is a login page, add --header 'Cookie: ...' or --header 'Authorization: ...'.`,
    )
  }
  if (/^\uFEFF?\s*[[{]/.test(start)) {
    throw new NoDocumentError(
      `${withoutPassword(url)} responds with JSON. The metadata document of a service is XML: <service>/$metadata.`,
    )
  }
  return text
}

function failure(error: unknown, url: URL, { timeout }: FetchSettings): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `${withoutPassword(url)} did not respond within ${String(timeout)} seconds. Use --timeout <seconds> to wait longer.`
  }
  // The error of fetch itself only says that it failed.
  const cause = (error as { readonly cause?: unknown }).cause ?? error
  const code = codeOf(cause) ?? ''
  if (code === 'ECONNREFUSED') return `No server listens at ${url.host}.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host '${url.hostname}' was not found.`
  if (/CERT|SIGNATURE|ISSUER|SELF_SIGNED/.test(code)) {
    return `The certificate of ${url.host} is not trusted (${code}). Name its certificate authority: NODE_EXTRA_CA_CERTS=authority.pem`
  }
  return `${withoutPassword(url)} cannot be read: ${reasonOf(cause) || code}.`
}

/** The metadata documents of large systems have about 30 million bytes. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024

/**
 * Reads a stream to its end.
 *
 * @param title the name of the source for messages
 * @param onBytes called with the number of bytes received so far
 * @throws SourceError above {@link MAX_DOCUMENT_BYTES}
 */
export async function readBytes(
  source: AsyncIterable<Uint8Array | string>,
  title: string,
  onBytes: (count: number) => void = () => undefined,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let count = 0
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    chunks.push(bytes)
    count += bytes.length
    if (count > MAX_DOCUMENT_BYTES) {
      throw new SourceError(
        `${title} has more than ${String(MAX_DOCUMENT_BYTES / 2 ** 20)} MiB, which is too large for a metadata document.`,
      )
    }
    onBytes(count)
  }
  return Buffer.concat(chunks)
}

/** XML declarations end within this many bytes. */
const MAX_DECLARATION_BYTES = 200

/** Decodes an XML document by its byte order mark, else by its XML declaration, else as UTF-8. */
export function decodeDocument(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, MAX_DECLARATION_BYTES),
  ).toString('latin1')
  const encoding = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start.replace(/^ï»¿/, ''))?.[1]
  return decoderOf(encoding ?? 'utf-8').decode(bytes)
}

/** Falls back to UTF-8 for unknown encodings, and for UTF-16 without byte order mark. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  if (/^utf-?16/i.test(encoding)) return new TextDecoder()
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
