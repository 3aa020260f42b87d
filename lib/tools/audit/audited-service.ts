import { readEdmx } from '../../csdl/read-edmx.js'
import { groupIdOf } from '../../edm/analytical-set.js'
import { ModelError } from '../../edm/build/model-error.js'
import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import { getOrCreate } from '../../util/get-or-create.js'
import { isRecord } from '../../util/is-record.js'
import { XmlError } from '../../xml/parse-xml.js'
import type { AuditRequest, RawResponse } from './response.js'
import { AuditResponse } from './response.js'
import type { Row } from './sample.js'
import { Sample } from './sample.js'
import type { Transport } from './transport.js'
import { TransportError } from './transport.js'

/** Checks of all entity sets stop after this many. */
const MAX_SETS = 20
const MAX_SAMPLE_ROWS = 200
const MAX_SAMPLE_PAGES = 20

type Headers = Readonly<Record<string, string>>

/** The service under audit. Caches its model and the samples of its entity sets. */
export class AuditedService {
  private readonly csrf: CsrfClient
  private readonly cache = new Map<object, Promise<unknown>>()

  /** @param root the service root with a slash at the end */
  constructor(
    readonly root: string,
    transport: Transport,
    private readonly userHeaders: Headers,
  ) {
    this.csrf = new CsrfClient(root, (request) => transport.send(request))
  }

  urlOf(address: string): string {
    return /^https?:/i.test(address) ? address : this.root + address
  }

  /** Makes an address below the service root relative; returns others unchanged. */
  relative(address: string): string {
    return address.startsWith(this.root) ? address.slice(this.root.length) : address
  }

  async send(request: AuditRequest): Promise<AuditResponse> {
    if (!URL.canParse(request.url)) throw new TransportError(`'${request.url}' is not a valid URL.`)
    // Links may lead to other hosts, which must not receive credentials.
    const isSameOrigin = new URL(request.url).origin === new URL(this.root).origin
    const headers = { ...(isSameOrigin ? this.userHeaders : {}), ...request.headers }
    return new AuditResponse(request, await this.csrf.send({ ...request, headers }))
  }

  get(address: string, headers: Headers = {}): Promise<AuditResponse> {
    return this.send({ method: 'GET', url: this.urlOf(address), headers })
  }

  /** Calls a function once for each key. */
  once<Value>(key: object, load: () => Promise<Value>): Promise<Value> {
    return getOrCreate(this.cache, key, load) as Promise<Value>
  }

  /** Returns undefined if the metadata document cannot be read. */
  model(): Promise<EdmModel | undefined> {
    return this.once(this, async () => {
      const { status, text } = await this.get('$metadata')
      if (status !== 200) return undefined
      try {
        return readEdmx(text)
      } catch (error) {
        if (error instanceof XmlError || error instanceof ModelError) return undefined
        throw error
      }
    })
  }

  /** Returns the sets with entities; analytical sets, which return groups, only if there are no others. */
  async entitySets(): Promise<readonly EntitySet[]> {
    const model = await this.model()
    const all = model === undefined ? [] : entitySetsOf(model)
    const ordinary = all.filter((set) => groupIdOf(set) === undefined)
    return ordinary.length === 0 ? all : ordinary
  }

  /** Returns the sets whose metadata announces groups. */
  async analyticalSets(): Promise<readonly EntitySet[]> {
    const model = await this.model()
    return model === undefined ? [] : entitySetsOf(model).filter((set) => groupIdOf(set) !== undefined)
  }

  /** Reads the first entities of a set. Undefined if it cannot be read. */
  sample(set: EntitySet): Promise<Sample | undefined> {
    return this.once(set, async () => {
      const rows: Row[] = []
      let address: string | undefined = `${encodeURIComponent(set.path)}?$top=${MAX_SAMPLE_ROWS}`
      for (let page = 0; page < MAX_SAMPLE_PAGES && address !== undefined; page++) {
        const feed = lenientFeed(await this.get(address, { Accept: 'application/json' }))
        if (feed === undefined) return page === 0 ? undefined : new Sample(set, rows, false)
        rows.push(...feed.rows)
        if (rows.length >= MAX_SAMPLE_ROWS) break
        address = feed.next
      }
      return new Sample(set, rows, address === undefined)
    })
  }

  /** Returns the samples with entities. */
  async allSamples(): Promise<readonly Sample[]> {
    const samples: Sample[] = []
    for (const set of (await this.entitySets()).slice(0, MAX_SETS)) {
      const sample = await this.sample(set)
      if (sample !== undefined && sample.rows.length > 0) samples.push(sample)
    }
    return samples
  }
}

/** Parses any document that resembles a feed, of version 1 too. Checks are stricter. */
function lenientFeed({
  status,
  text,
}: AuditResponse): { readonly rows: readonly Row[]; readonly next: string | undefined } | undefined {
  if (status !== 200) return undefined
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return undefined
  }
  const content = isRecord(document) ? document['d'] : undefined
  const { results, __next: next } = isRecord(content) ? content : { results: content }
  if (!Array.isArray(results)) return undefined
  return { rows: results.filter(isRecord), next: typeof next === 'string' ? next : undefined }
}

type Send = (request: AuditRequest) => Promise<RawResponse>

/** Fetches a CSRF token when the service requires one, as SAP services do for changes. */
class CsrfClient {
  private tokenHeaders: Promise<Headers> | undefined

  /** @param root the address that returns the token */
  constructor(
    private readonly root: string,
    private readonly sendRequest: Send,
  ) {}

  async send(request: AuditRequest): Promise<RawResponse> {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return this.sendRequest(request)
    const sentToken = this.tokenHeaders
    const response = await this.sendWith(sentToken, request)
    const isRequired = response.headers.get('x-csrf-token')?.toLowerCase() === 'required'
    if (response.status !== 403 || !isRequired) return response
    // Unless a parallel request has fetched a new token already.
    if (this.tokenHeaders === sentToken) this.tokenHeaders = this.fetchToken(request)
    return this.sendWith(this.tokenHeaders, request)
  }

  private async sendWith(token: Promise<Headers> | undefined, request: AuditRequest): Promise<RawResponse> {
    return this.sendRequest({ ...request, headers: { ...request.headers, ...(await token) } })
  }

  private async fetchToken({ headers }: AuditRequest): Promise<Headers> {
    const ownHeaders = Object.entries(headers).filter(
      ([name]) => !/^(?:content-|if-|x-http-|accept$)/i.test(name),
    )
    const response = await this.sendRequest({
      method: 'GET',
      url: this.root,
      headers: { ...Object.fromEntries(ownHeaders), 'X-CSRF-Token': 'Fetch' },
    })
    const token = response.headers.get('x-csrf-token')
    const cookies = [...(response.headers.get('set-cookie') ?? '').matchAll(/^[^;\n]+/gm)].join('; ')
    return {
      ...(token === undefined ? {} : { 'X-CSRF-Token': token }),
      ...(cookies === '' ? {} : { Cookie: cookies }),
    }
  }
}
