/** A request and its response. */
export interface Exchange {
  readonly method: string
  /** Relative to the service root. */
  readonly address: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly text: string
  readonly milliseconds: number
}

/** A request that the page has sent. */
export interface RecentRequest {
  /** Its response text is shortened. */
  readonly exchange: Exchange
  /** The request body; empty for files. */
  readonly body: string
  /** Size of the response in bytes. */
  readonly size: number
  readonly sentAt: Date
}

const MAX_RECENT = 50
const MAX_RECENT_LENGTH = 200_000

interface RequestOptions {
  readonly method?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyInit
}

/**
 * Asks the user to sign in.
 *
 * @param challenge the `WWW-Authenticate` header of a response with status 401
 * @param isRepeated true if the service has rejected what the user entered before
 * @returns the value of `Authorization`; undefined if the user declines, or for schemes that the page does not know
 */
type SignIn = (challenge: string, isRepeated: boolean) => Promise<string | undefined>

/** Sends requests to the service over HTTP, the only access that the page has. */
export class ServiceClient {
  /** Only in the memory of the page, so that it ends with it. */
  private authorization: string | undefined
  private signingIn: Promise<string | undefined> | undefined
  private readonly sent: RecentRequest[] = []

  /**
   * @param root URL of the service, as the page reaches it
   * @param publicRoot URL of the service in its responses, which can differ behind a proxy
   */
  constructor(
    readonly root: string,
    private readonly publicRoot: string,
    private readonly signIn: SignIn,
  ) {}

  /** True if the browser itself cannot load resources, because only the page knows how to sign in. */
  get isSignedIn(): boolean {
    return this.authorization !== undefined
  }

  /** The last requests, the oldest one first. */
  get recent(): readonly RecentRequest[] {
    return this.sent
  }

  /** Sends a request, and repeats it with a CSRF token if the service requires one. */
  async send(
    address: string,
    { method = 'GET', accept = 'application/json', headers, body }: RequestOptions = {},
  ): Promise<Exchange> {
    const own = { Accept: accept, ...headers }
    const first = await this.exchange(address, method, own, body)
    const needsToken = first.status === 403 && first.headers.get('x-csrf-token')?.toLowerCase() === 'required'
    if (!needsToken) return first
    return this.exchange(address, method, { ...own, 'X-CSRF-Token': await this.fetchToken() }, body)
  }

  /**
   * Requests a resource. Asks the user to sign in where the service requires it, until it accepts what the user enters.
   *
   * @param address relative to the service root
   */
  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const href = this.hrefOf(address)
    for (;;) {
      const used = this.authorization
      const headers = new Headers(init.headers)
      if (used !== undefined) headers.set('Authorization', used)
      const response = await fetch(href, { ...init, headers })
      const challenge = response.headers.get('www-authenticate')
      if (response.status !== 401 || challenge === null) return response
      // Requests that fail together open one dialog.
      if (used === this.authorization) {
        this.signingIn ??= this.signIn(challenge, used !== undefined).finally(
          () => (this.signingIn = undefined),
        )
        const entered = await this.signingIn
        if (entered === undefined) return response
        this.authorization = entered
      }
    }
  }

  /**
   * Sends the bytes of a file. Requests of `fetch` do not report their progress.
   *
   * @param onProgress called with the number of bytes that were sent
   */
  async upload(
    method: string,
    address: string,
    requestHeaders: Readonly<Record<string, string>>,
    file: Blob,
    onProgress: (sent: number) => void,
    signal: AbortSignal,
  ): Promise<Exchange> {
    const href = this.hrefOf(address)
    // Services that require no CSRF token ignore it.
    const token = await this.fetchToken()
    const cancelled = new Error('The upload was cancelled.')
    if (signal.aborted) throw cancelled
    const request = new XMLHttpRequest()
    request.open(method, href)
    const authorization = this.authorization === undefined ? {} : { Authorization: this.authorization }
    const all = { Accept: 'application/json', 'X-CSRF-Token': token, ...requestHeaders, ...authorization }
    for (const [name, value] of Object.entries(all)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    const start = performance.now()
    await new Promise<void>((resolve, reject) => {
      request.onload = () => resolve()
      request.onerror = () => reject(new Error('The connection was lost.'))
      request.onabort = () => reject(cancelled)
      signal.addEventListener('abort', () => request.abort())
      request.send(file)
    })
    const { status, statusText, responseText: text } = request
    const lines = request.getAllResponseHeaders().trim().split('\r\n')
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/, 2) as [string, string]))
    const milliseconds = performance.now() - start
    return this.record({ method, address, requestHeaders, status, statusText, headers, text, milliseconds })
  }

  /** Makes a URI from a response relative to the service root; undefined for URIs outside of the service. */
  relative(uri: unknown): string | undefined {
    if (typeof uri !== 'string') return undefined
    for (const root of [this.publicRoot, this.root]) {
      if (uri.startsWith(root)) return uri.slice(root.length)
    }
    return /^[a-z][a-z0-9+.-]*:|^\//i.test(uri) ? undefined : uri
  }

  /** @throws Error for an address outside of the service: a manipulated link to the page must not reach others */
  private hrefOf(address: string): string {
    const { href } = new URL(this.root + address)
    if (!href.startsWith(this.root)) throw new Error('The address is outside of the service.')
    return href
  }

  private async fetchToken(): Promise<string> {
    const headers = { Accept: 'application/json', 'X-CSRF-Token': 'Fetch' }
    const response = await this.fetch('', { method: 'HEAD', headers })
    return response.headers.get('x-csrf-token') ?? ''
  }

  private async exchange(
    address: string,
    method: string,
    requestHeaders: Readonly<Record<string, string>>,
    body: BodyInit | undefined,
  ): Promise<Exchange> {
    const start = performance.now()
    const response = await this.fetch(address, { method, headers: requestHeaders, body: body ?? null })
    const text = await response.text()
    const { status, statusText, headers } = response
    const milliseconds = performance.now() - start
    const done = { method, address, requestHeaders, status, statusText, headers, text, milliseconds }
    return this.record(done, typeof body === 'string' ? body : '')
  }

  private record(exchange: Exchange, body = ''): Exchange {
    const { text } = exchange
    const shortened = { ...exchange, text: text.slice(0, MAX_RECENT_LENGTH) }
    this.sent.push({ exchange: shortened, body, size: new Blob([text]).size, sentAt: new Date() })
    if (this.sent.length > MAX_RECENT) this.sent.shift()
    return exchange
  }
}
