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

interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly accept?: string
}

/** Sends requests to the service over HTTP, the only access that the page has. */
export class ServiceClient {
  /**
   * @param root URL of the service, as the page reaches it
   * @param publicRoot URL of the service in its responses, which can differ behind a proxy
   */
  constructor(
    readonly root: string,
    private readonly publicRoot: string,
  ) {}

  /** Sends a request, and repeats it with a CSRF token if the service requires one. */
  async send(
    address: string,
    { method = 'GET', accept = 'application/json' }: RequestOptions = {},
  ): Promise<Exchange> {
    const first = await this.exchange(address, method, { Accept: accept })
    const needsToken = first.status === 403 && first.headers.get('x-csrf-token')?.toLowerCase() === 'required'
    if (!needsToken) return first
    return this.exchange(address, method, { Accept: accept, 'X-CSRF-Token': await this.fetchToken() })
  }

  /** Makes a URI from a response relative to the service root; undefined for URIs outside of the service. */
  relative(uri: unknown): string | undefined {
    if (typeof uri !== 'string') return undefined
    for (const root of [this.publicRoot, this.root]) {
      if (uri.startsWith(root)) return uri.slice(root.length)
    }
    return /^[a-z][a-z0-9+.-]*:|^\//i.test(uri) ? undefined : uri
  }

  private async fetchToken(): Promise<string> {
    const { headers } = await fetch(this.root, {
      method: 'HEAD',
      headers: { Accept: 'application/json', 'X-CSRF-Token': 'Fetch' },
    })
    return headers.get('x-csrf-token') ?? ''
  }

  private async exchange(
    address: string,
    method: string,
    requestHeaders: Readonly<Record<string, string>>,
  ): Promise<Exchange> {
    const { href } = new URL(this.root + address)
    // A manipulated link to the page must not send requests to other applications of the host.
    if (!href.startsWith(this.root)) throw new Error('The address is outside of the service.')
    const start = performance.now()
    const response = await fetch(href, { method, headers: requestHeaders })
    const text = await response.text()
    const { status, statusText, headers } = response
    const milliseconds = performance.now() - start
    return { method, address, requestHeaders, status, statusText, headers, text, milliseconds }
  }
}
