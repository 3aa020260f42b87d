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

  /** @param start path and query of the first load */
  constructor(
    private readonly server: TestServer,
    private readonly start: string,
    private readonly betweenPages: () => Promise<void> = () => Promise.resolve(),
  ) {}

  /** Loads everything, or the changes since the last call. */
  async synchronize(): Promise<void> {
    let next = this.deltaLink ?? this.start
    for (let pages = 1; ; pages++) {
      const response = await getJson(this.server, next)
      if (response.status === 410) {
        this.entities.clear()
        next = String(response.headers.location)
        continue
      }
      if (response.status !== 200) throw new Error(`${next}: ${String(response.status)} ${response.text}`)
      const { results, __next, __delta } = feedOf(response)
      for (const item of results) this.apply(item)
      if (__next === undefined) {
        if (__delta === undefined) throw new Error(`${next} has no delta link.`)
        this.deltaLink = __delta
        this.pages.push(pages)
        return
      }
      await this.betweenPages()
      next = __next
    }
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
