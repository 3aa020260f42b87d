import type { Authorize } from '../../lib/provider/authorize.js'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { Provider } from '../../lib/provider/provider.js'
import { batchBody, get, postBatch, responsesIn, single } from '../support/batch-exchange.js'
import type { LiveResponse } from '../support/live-server.js'
import { LiveServer } from '../support/live-server.js'
import { contractModel } from './contract-model.js'
import { FailureCauses } from '../support/failure-causes.js'
import { withHandlers } from '../support/with-handlers.js'

/** The address of all services, so that their responses can be compared byte for byte. */
const serviceRoot = 'http://depot.test/'

/** A response without the parts that differ between any two responses. */
export interface ComparableResponse {
  readonly status: number
  readonly contentType: string | undefined
  readonly etag: string | undefined
  readonly text: string
}

/** Services with the model of the contract, tested over HTTP. Their model is a different object than that of the provider. */
export class ContractServices {
  private readonly causes = new FailureCauses()

  private constructor(private readonly server: LiveServer) {}

  static async start(): Promise<ContractServices> {
    return new ContractServices(await LiveServer.start())
  }

  get port(): number {
    return this.server.port
  }

  mount(name: string, provider: Provider, options: ODataV2Options = {}, model = contractModel()): void {
    this.server.mount(
      name,
      odataV2(model, withHandlers(provider, model), {
        serviceRoot,
        onError: this.causes.onError,
        ...options,
      }),
    )
  }

  async get(name: string, path: string, accept = 'application/json'): Promise<LiveResponse> {
    const response = await this.server.get(`/${name}${path}`, { accept })
    return { ...response, text: this.causes.explain(response.status, response.text) }
  }

  async comparable(name: string, path: string, accept?: string): Promise<ComparableResponse> {
    const { status, headers, text } = await this.get(name, path, accept)
    const body = text.replace(/<updated>[^<]*<\/updated>/g, '<updated/>')
    return { status, contentType: headers['content-type'], etag: headers.etag, text: body }
  }

  /** Sends reads in one batch. @returns the responses as {@link comparable} returns them */
  async comparableBatch(name: string, paths: readonly string[]): Promise<ComparableResponse[]> {
    const body = batchBody(...paths.map((path) => get(path.slice(1))))
    return responsesIn(await postBatch(this.port, body, {}, `/${name}/$batch`)).map((response) => {
      const { status, headers, body: latin1 } = single(response)
      const text = this.causes.explain(status, Buffer.from(latin1, 'latin1').toString())
      return { status, contentType: headers['content-type'], etag: headers.etag, text }
    })
  }

  /** Sends a change with a JSON body. */
  async change(name: string, method: string, path: string, body: unknown): Promise<ComparableResponse> {
    const { status, headers, text } = await this.server.send(
      method,
      `/${name}${path}`,
      { 'content-type': 'application/json', accept: 'application/json' },
      JSON.stringify(body),
    )
    return {
      status,
      contentType: headers['content-type'],
      etag: headers.etag,
      text: this.causes.explain(status, text),
    }
  }

  /** Requests a page and those that follow it, up to a maximum number. */
  async comparablePages(
    name: string,
    path: string,
    { accept, limit = 6 }: { readonly accept?: string; readonly limit?: number } = {},
  ): Promise<ComparableResponse[]> {
    const responses: ComparableResponse[] = []
    for (let next: string | undefined = path; next !== undefined && responses.length < limit;) {
      const response: ComparableResponse = await this.comparable(name, next, accept)
      responses.push(response)
      next = nextIn(response.text)
    }
    return responses
  }

  /** Returns the JSON document of a successful response, without its wrapper. */
  async json(name: string, path: string): Promise<Json> {
    const { status, text } = await this.get(name, path)
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`)
    return (JSON.parse(text) as { d: Json }).d
  }

  /** The addresses of the entities in a feed below the service root, decoded. */
  async ids(name: string, path: string): Promise<string[]> {
    return idsIn(await this.json(name, path))
  }

  /** Returns the list of each page. */
  async pages(name: string, path: string): Promise<string[][]> {
    const pages: string[][] = []
    let next: string | undefined = path
    while (next !== undefined) {
      const feed: Json = await this.json(name, next)
      pages.push(idsIn(feed))
      next = feed.__next === undefined ? undefined : `/${feed.__next.slice(serviceRoot.length)}`
      if (pages.length > 50) throw new Error(`${path} has no last page`)
    }
    return pages
  }

  async status(name: string, path: string): Promise<number> {
    return (await this.get(name, path)).status
  }

  async close(): Promise<void> {
    await this.server.close()
  }
}

/** Where a feed goes on, relative to the service; feeds within it have next links of their own. */
function nextIn(text: string): string | undefined {
  const uri =
    /"__next":"([^"]*)"\}\}$/.exec(text)?.[1] ?? /<link rel="next" href="([^"]*)"\/><\/feed>$/.exec(text)?.[1]
  return uri === undefined ? undefined : `/${uri.slice(serviceRoot.length).replaceAll('&amp;', '&')}`
}

/** A verbose JSON value, as far as specs look into it. */
export interface Json {
  readonly __metadata?: { readonly uri: string; readonly type: string; readonly content_type?: string }
  readonly results?: readonly Json[]
  readonly __next?: string
  readonly __count?: string
  readonly __deferred?: { readonly uri: string }
  readonly uri?: string
  readonly [member: string]: unknown
}

export function idOf(entity: Json): string {
  const uri = entity.__metadata?.uri ?? entity.uri ?? ''
  return decodeURIComponent(uri.slice(serviceRoot.length))
}

export function idsIn(feed: Json): string[] {
  return (feed.results ?? []).map(idOf)
}

/** Returns the entities of a response and their relations, without any values. */
export function outlineOfResponse({ status, contentType, text }: ComparableResponse): unknown {
  const isDocument = status === 200 && contentType?.includes('json') === true
  return { status, contentType, content: isDocument ? outlineOf(JSON.parse(text)) : undefined }
}

function outlineOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(outlineOf)
  if (typeof value !== 'object' || value === null) return undefined
  const entity = value as Json
  const members = Object.entries(entity)
    .filter(([name, member]) => name !== '__metadata' && typeof member === 'object')
    .map(([name, member]) => [name, member === null ? null : outlineOf(member)])
  const { __next, __count, __deferred } = entity
  return {
    id: idOf(entity),
    // Tokens hold values, which one provider may give as 12.5 and another as 12.50.
    goesOn: __next !== undefined,
    __count,
    deferred: __deferred?.uri,
    members: Object.fromEntries(members),
  }
}

/** Filters by entity set as an application would return them. */
export function authorizeBy(filters: Readonly<Record<string, string | undefined>>): Authorize {
  return (operation) => (operation.kind === 'function' ? undefined : filters[operation.entitySet])
}
