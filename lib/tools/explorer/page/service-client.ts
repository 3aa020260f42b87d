/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string
  /** Below the service root. */
  readonly address: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  readonly milliseconds: number
}

export interface Question {
  readonly method?: 'GET' | 'POST'
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks the service what every client can ask: there is no other way in for this page. */
export class ServiceClient {
  /**
   * @param root absolute address of the service as this page has reached it
   * @param announced the one that the service writes into its answers, which behind a proxy can be another one
   */
  constructor(
    readonly root: string,
    private readonly announced: string,
  ) {}

  async send(
    address: string,
    { method = 'GET', accept = 'application/json', headers = {} }: Question = {},
  ): Promise<Exchange> {
    const first = await this.exchange(address, method, { Accept: accept, ...headers })
    const wanted = first.headers.find(([name]) => name === 'x-csrf-token')?.[1]
    if (first.status !== 403 || wanted?.toLowerCase() !== 'required') return first
    const token = await this.token()
    return this.exchange(address, method, { Accept: accept, ...headers, 'X-CSRF-Token': token })
  }

  /** An address of an answer as it stands below the root; undefined when it leads elsewhere. */
  relative(address: unknown): string | undefined {
    if (typeof address !== 'string') return undefined
    for (const root of [this.announced, this.root]) {
      if (address.startsWith(root)) return address.slice(root.length)
    }
    return /^[a-z][a-z0-9+.-]*:|^\//i.test(address) ? undefined : address
  }

  private async token(): Promise<string> {
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
    // A link from elsewhere must not make this page ask other things of the host.
    if (!href.startsWith(this.root)) throw new Error('This address leads out of the service.')
    const start = performance.now()
    const response = await fetch(href, { method, headers: requestHeaders })
    const text = await response.text()
    return {
      method,
      address,
      requestHeaders,
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      text,
      milliseconds: performance.now() - start,
    }
  }
}
