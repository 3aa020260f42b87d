import type { ExplainedStatement } from '../../provider/explanation.js'
import { ODataError } from '../../errors/odata-error.js'
import { readableUri } from '../../util/readable-uri.js'
import { badGateway } from './upstream-errors.js'
import type { UpstreamSettings } from './upstream-options.js'
import type { UpstreamRequest, UpstreamResponse } from './upstream-request.js'
import type { ReceivedResponse, SentRequest, UpstreamTransport } from './upstream-transport.js'
import type { CsrfSession } from './csrf-sessions.js'
import { CsrfSessions, requiresToken } from './csrf-sessions.js'
import { FetchTransport } from './fetch-transport.js'
import { HttpTransport } from './http-transport.js'

const MAX_REDIRECTS = 5

/** Sends requests to an upstream service. */
export class UpstreamClient {
  /** The root of the service, without query options. */
  readonly root: URL
  private readonly transport: UpstreamTransport
  /** The query options of the address of the service, which all requests have: `sap-client=100`. */
  private readonly options: readonly (readonly [name: string, text: string])[]
  private readonly csrf = new CsrfSessions()

  constructor(
    address: URL,
    private readonly settings: UpstreamSettings,
    /** Headers of all requests. */
    private readonly common: Readonly<Record<string, string>> = {},
  ) {
    const { fetch, timeout } = settings
    this.root = new URL(address)
    this.root.search = ''
    this.options = optionsIn(address)
    this.transport =
      fetch === undefined ? new HttpTransport(address, timeout) : new FetchTransport(fetch, timeout)
  }

  /**
   * Sends a request. Reads are retried once if the connection fails before the response begins, and follow redirects
   * within the service.
   *
   * @throws ODataError if the service cannot be reached, does not respond in time, or redirects out of the service; the
   * reason of the signal after an abort
   */
  async send(request: UpstreamRequest): Promise<UpstreamResponse> {
    const { explanation } = request.call ?? {}
    if (explanation === undefined) return this.sendOnce(request)
    const text = `${request.method} ${readableUri(request.path)}`
    const plan = (): Promise<Pick<ExplainedStatement, 'plan' | 'advice'>> =>
      Promise.resolve({ plan: [], advice: [] })
    return explanation.observe({ text, plan }, () => this.sendOnce(request))
  }

  private async sendOnce(request: UpstreamRequest): Promise<UpstreamResponse> {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const own = { ...this.common, ...(await this.settings.headers?.(request.call)) }
    const sent: SentRequest = {
      method: request.method,
      headers: headersOf(request, own),
      body: request.body,
      signal: request.signal ?? request.call?.signal,
    }
    let url = this.urlOf(request.path)
    for (let redirects = 0; ; redirects++) {
      const received = isRead ? await this.attempt(url, sent, true) : await this.change(url, sent, own)
      const { location } = received.headers
      const isRedirect = received.status >= 300 && received.status < 400 && received.status !== 304
      if (!isRedirect) return this.responseOf(received, request)
      received.discard()
      const next = location === undefined ? undefined : resolved(location, url)
      if (!isRead || next === undefined || !this.contains(next) || redirects === MAX_REDIRECTS)
        throw badGateway(
          `The upstream service responds to ${describe(request)} with a redirect that is not followed.`,
        )
      url = next
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.transport.close()
  }

  /**
   * Returns the path of a link of the service, such as a nextLink, relative to the service root.
   *
   * @throws ODataError for a link that leads out of the service
   */
  relative(link: string): string {
    const url = resolved(link, this.root)
    if (url === undefined || !this.contains(url))
      throw badGateway('The upstream service sent a link that leads out of the service.')
    return url.pathname.slice(this.root.pathname.length) + url.search
  }

  /** Returns true for a link that does not lead out of the service. */
  hasLink(link: string): boolean {
    const url = resolved(link, this.root)
    return url !== undefined && this.contains(url)
  }

  private urlOf(path: string): URL {
    const url = resolved(path, this.root)
    if (url === undefined || !this.contains(url))
      throw badGateway(`'${path.slice(0, 200)}' leads out of the upstream service.`)
    const { options } = this
    if (options.length === 0) return url
    // Links of the service can have them already.
    const missing = options.filter(([name]) => !url.searchParams.has(name)).map(([, text]) => text)
    url.search = [url.search.slice(1), ...missing].filter((text) => text !== '').join('&')
    return url
  }

  private contains({ origin, pathname }: URL): boolean {
    return origin === this.root.origin && pathname.startsWith(this.root.pathname)
  }

  private async attempt(url: URL, sent: SentRequest, isRead: boolean): Promise<ReceivedResponse> {
    try {
      return await this.transport.send(url, sent)
    } catch (error) {
      sent.signal?.throwIfAborted()
      // A service that is slow gets no second request.
      if (!isRead || (error instanceof ODataError && error.code === 'GatewayTimeout')) throw error
      return await this.transport.send(url, sent)
    }
  }

  /** Sends a change, with the CSRF token of the caller if the service requires one. */
  private async change(url: URL, sent: SentRequest, own: OwnHeaders): Promise<ReceivedResponse> {
    const { csrf } = this
    const isStream =
      sent.body !== undefined && typeof sent.body !== 'string' && !(sent.body instanceof Uint8Array)
    let session = csrf.get(own)
    // A stream cannot be sent again.
    if (session === undefined && isStream && csrf.mayRequireToken) session = await this.fetchToken(sent, own)
    const received = await this.attempt(url, withSession(sent, session), false)
    if (isStream || !requiresToken(received)) return received
    received.discard()
    return this.attempt(url, withSession(sent, await this.fetchToken(sent, own)), false)
  }

  private async fetchToken(
    { headers, signal }: SentRequest,
    own: OwnHeaders,
  ): Promise<CsrfSession | undefined> {
    const accept = 'application/json, application/xml;q=0.5'
    const language = headers['accept-language'] ?? 'en'
    const request = {
      method: 'GET',
      path: '',
      headers: { accept, 'accept-language': language, 'x-csrf-token': 'Fetch' },
    }
    const response = await this.attempt(
      this.urlOf(''),
      { method: 'GET', headers: headersOf(request, own), signal },
      true,
    )
    response.discard()
    return this.csrf.add(own, response)
  }

  private responseOf(received: ReceivedResponse, request: UpstreamRequest): UpstreamResponse {
    const { maxBytes } = this.settings
    return { ...received, text: () => textOf(received, maxBytes, request) }
  }
}

/** Returns the whole body. @throws ODataError if it has more bytes than the maximum */
async function textOf(
  { read, discard }: ReceivedResponse,
  maxBytes: number,
  request: UpstreamRequest,
): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    await read((chunk) => {
      size += chunk.length
      if (size > maxBytes)
        throw badGateway(`The response to ${describe(request)} has more than ${maxBytes} bytes (maxBytes).`)
      chunks.push(chunk)
    })
  } finally {
    discard()
  }
  return Buffer.concat(chunks, size).toString('utf8')
}

type OwnHeaders = Readonly<Record<string, string | undefined>>

function headersOf({ headers, call }: UpstreamRequest, own: OwnHeaders): Record<string, string> {
  const all: Record<string, string | undefined> = {}
  // Without it, `fetch` of Node.js sends `*`, which some services do not understand.
  all['accept-language'] = call?.language ?? 'en'
  for (const [name, value] of [...Object.entries(headers ?? {}), ...Object.entries(own)])
    all[name.toLowerCase()] = value
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function withSession(sent: SentRequest, session: CsrfSession | undefined): SentRequest {
  if (session === undefined) return sent
  const { token, cookie } = session
  const own = sent.headers.cookie
  const cookies = [own, cookie].filter((one) => one !== undefined && one !== '').join('; ')
  const headers = { ...sent.headers, 'x-csrf-token': token, ...(cookies === '' ? {} : { cookie: cookies }) }
  return { ...sent, headers }
}

/** Describes a request without its query, which can contain values of the client. */
function describe({ method, path }: UpstreamRequest): string {
  return `${method} ${path.split('?')[0]?.slice(0, 200) ?? ''}`
}

function resolved(link: string, base: URL): URL | undefined {
  try {
    return new URL(link, base)
  } catch {
    return undefined
  }
}

/** Returns the custom query options of an address, with their text. */
function optionsIn({ search }: URL): (readonly [name: string, text: string])[] {
  return search
    .slice(1)
    .split('&')
    .flatMap((text) => [...new URLSearchParams(text).keys()].map((name) => [name, text] as const))
    .filter(([name]) => !name.startsWith('$'))
}
