import type { HttpResponse, TestServer } from './http-exchange.js'

interface JsonFeed {
  readonly d: {
    readonly results: readonly JsonItem[]
    readonly __next?: string
    readonly __delta?: string
  }
}

interface JsonItem {
  readonly __metadata?: { readonly uri: string }
  readonly '@odata.context'?: string
  readonly id?: string
  readonly [name: string]: unknown
}

/** Parses a feed in JSON. */
export function feedOf({ text }: Pick<HttpResponse, 'text'>): JsonFeed['d'] {
  return (JSON.parse(text) as JsonFeed).d
}

/** Sends a GET to an absolute or relative URL. */
export function getJson(
  server: TestServer,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse> {
  const target = url.startsWith('http') ? url.slice(url.indexOf('/', 8)) : url
  return server.send(target, { headers: { Accept: 'application/json', ...headers } })
}

/** A client with a copy of an entity set, which follows its delta links. */
export class Replica {
  /** Entities by their URL. */
  readonly entities = new Map<string, JsonItem>()
  /** The numbers of pages of all loads and deltas. */
  readonly pages: number[] = []
  private deltaLink: string | undefined
  private next: string | undefined
  private pageCount = 0

  /** @param start path and query of the first load */
  constructor(
    private readonly server: TestServer,
    private readonly start: string,
    private readonly betweenPages: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** Loads everything, or the changes since the last call. */
  async synchronize(): Promise<void> {
    while (!(await this.step())) await this.betweenPages()
  }

  /** Reads the next page. Returns true if it is the last one of a load or a delta. */
  async step(): Promise<boolean> {
    const url = this.next ?? this.deltaLink ?? this.start
    const response = await getJson(this.server, url)
    if (response.status === 410) {
      this.entities.clear()
      this.next = String(response.headers.location)
      return this.step()
    }
    if (response.status !== 200) throw new Error(`${url}: ${String(response.status)} ${response.text}`)
    const { results, __next, __delta } = feedOf(response)
    for (const item of results) this.apply(item)
    this.next = __next
    this.pageCount++
    if (__next !== undefined) return false
    if (__delta === undefined) throw new Error(`${url} has no delta link.`)
    this.deltaLink = __delta
    this.pages.push(this.pageCount)
    this.pageCount = 0
    return true
  }

  private apply(item: JsonItem): void {
    const { __metadata: metadata, id } = item
    if (metadata === undefined) this.entities.delete(String(id))
    else this.entities.set(metadata.uri, item)
  }

  /** Returns some properties of all entities, in a stable order. */
  rows(...names: readonly string[]): unknown[] {
    return [...this.entities]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, entity]) => Object.fromEntries(names.map((name) => [name, entity[name]])))
  }
}
