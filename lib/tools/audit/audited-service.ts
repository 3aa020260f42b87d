import { readEdmx } from '../../csdl/read-edmx.js'
import { ModelError } from '../../edm/build/model-faults.js'
import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import { XmlError } from '../../xml/parse-xml.js'
import type { AuditRequest, ReceivedAnswer } from './answer.js'
import { Answer } from './answer.js'
import type { Sample, Row } from './sample.js'
import type { Transport } from './transport.js'
import { TransportError } from './transport.js'
import { isRecord } from '../../util/is-record.js'
import { setAddress } from './sample.js'

/** Checks that look at all sets look at no more than these. */
const maximumSets = 20

/** The service, and what is known of it: its model, and the entities that were read. Nothing is asked for twice. */
export class AuditedService {
  private metadata: Promise<EdmModel | undefined> | undefined
  private readonly samples = new Map<string, Promise<Sample | undefined>>()
  private readonly token: CsrfToken
  private readonly findings = new Map<object, Promise<unknown>>()

  /** @param root its address, with a slash at the end */
  constructor(
    readonly root: string,
    transport: Transport,
    private readonly ownHeaders: Readonly<Record<string, string>>,
  ) {
    this.token = new CsrfToken(root, (request) => transport.send(request))
  }

  addressOf(address: string): string {
    return /^https?:/i.test(address) ? address : this.root + address
  }

  /** An address of the service from its root; any other stays as it is. */
  relative(address: string): string {
    return address.startsWith(this.root) ? address.slice(this.root.length) : address
  }

  async send(request: AuditRequest): Promise<Answer> {
    // What the caller gives is for this service alone: a link that leads elsewhere is followed without it.
    if (!URL.canParse(request.url)) throw new TransportError(`'${request.url}' is no address.`)
    const isOwn = new URL(request.url).origin === new URL(this.root).origin
    const headers = { ...(isOwn ? this.ownHeaders : {}), ...request.headers }
    return new Answer(request, await this.token.sendWithToken({ ...request, headers }))
  }

  /** Undefined when it cannot be read. */
  model(): Promise<EdmModel | undefined> {
    return (this.metadata ??= this.readModel())
  }

  async entitySets(): Promise<readonly EntitySet[]> {
    const model = await this.model()
    return model === undefined ? [] : model.entityContainers.flatMap(({ entitySets }) => entitySets)
  }

  /** Some entities of a set; undefined when it cannot be read. */
  sample(set: EntitySet): Promise<Sample | undefined> {
    const known = this.samples.get(set.path)
    if (known !== undefined) return known
    const sample = readSample(this, set)
    this.samples.set(set.path, sample)
    return sample
  }

  /** Samples of all sets that have entities and can be read; of very many sets, of the first. */
  async allSamples(): Promise<readonly Sample[]> {
    const found: Sample[] = []
    for (const set of (await this.entitySets()).slice(0, maximumSets)) {
      const sample = await this.sample(set)
      if (sample !== undefined && sample.rows.length > 0) found.push(sample)
    }
    return found
  }

  /** What is long to find is found once for all checks. @param key what stands for it */
  finding<Found>(key: object, find: () => Promise<Found>): Promise<Found> {
    const known = this.findings.get(key) as Promise<Found> | undefined
    if (known !== undefined) return known
    const found = find()
    this.findings.set(key, found)
    return found
  }

  private async readModel(): Promise<EdmModel | undefined> {
    const { status, text } = await this.send({ method: 'GET', url: this.addressOf('$metadata'), headers: {} })
    if (status !== 200) return undefined
    try {
      return readEdmx(text)
    } catch (error) {
      if (error instanceof XmlError || error instanceof ModelError) return undefined
      throw error
    }
  }
}

type Send = (request: AuditRequest) => Promise<ReceivedAnswer>

const reading = ['GET', 'HEAD', 'OPTIONS']

/** The token that services of SAP, and others by their custom, want of requests that are not for reading. */
class CsrfToken {
  private headers: Promise<Readonly<Record<string, string>>> | undefined

  /** @param root where the token is fetched */
  constructor(
    private readonly root: string,
    private readonly send: Send,
  ) {}

  /** Sends a request, and again with a token when the service says that it wants one. */
  async sendWithToken(request: AuditRequest): Promise<ReceivedAnswer> {
    if (reading.includes(request.method)) return this.send(request)
    const known = this.headers
    const answer = await this.send(await withHeaders(request, known))
    if (answer.status !== 403 || answer.headers.get('x-csrf-token')?.toLowerCase() !== 'required')
      return answer
    // Another request may have fetched a new one meanwhile.
    if (this.headers === known) this.headers = this.fetchToken(request)
    return this.send(await withHeaders(request, this.headers))
  }

  private async fetchToken({ headers }: AuditRequest): Promise<Readonly<Record<string, string>>> {
    const wanted = Object.entries(headers).filter(
      ([name]) => !/^(?:content-|if-|x-http-|accept$)/i.test(name),
    )
    const fetching = { ...Object.fromEntries(wanted), 'X-CSRF-Token': 'Fetch' }
    const answer = await this.send({ method: 'GET', url: this.root, headers: fetching })
    const token = answer.headers.get('x-csrf-token')
    const cookies = (answer.headers.get('set-cookie') ?? '')
      .split('\n')
      .map((one) => one.replace(/;.*$/s, ''))
      .filter((one) => one !== '')
    return {
      ...(token === undefined ? {} : { 'X-CSRF-Token': token }),
      ...(cookies.length === 0 ? {} : { Cookie: cookies.join('; ') }),
    }
  }
}

async function withHeaders(
  request: AuditRequest,
  added: Promise<Readonly<Record<string, string>>> | undefined,
): Promise<AuditRequest> {
  return added === undefined ? request : { ...request, headers: { ...request.headers, ...(await added) } }
}

/** How many entities a sample has at most. */
const sampleSize = 200

/** More pages are not read for one sample. */
const maximumPages = 20

/** What `readSample` needs of a service. */
interface Reader {
  addressOf(address: string): string
  send(request: AuditRequest): Promise<Answer>
}

/** Reads the first entities of a set, page after page; nothing is demanded of them yet. */
async function readSample(service: Reader, set: EntitySet): Promise<Sample | undefined> {
  const rows: Row[] = []
  let address: string | undefined = `${setAddress(set)}?$top=${sampleSize}`
  for (let page = 0; page < maximumPages && address !== undefined && rows.length < sampleSize; page++) {
    const url = service.addressOf(address)
    const headers = { Accept: 'application/json' }
    const answer = await service.send({ method: 'GET', url, headers })
    const feed = feedIn(answer)
    if (feed === undefined) return page === 0 ? undefined : { set, rows, complete: false }
    rows.push(...feed.rows)
    address = feed.next
  }
  return { set, rows, complete: address === undefined && rows.length < sampleSize }
}

interface Feed {
  readonly rows: readonly Row[]
  readonly next: string | undefined
}

/** Whatever can be taken for a feed, also that of version 1. */
function feedIn(answer: Answer): Feed | undefined {
  if (answer.status !== 200) return undefined
  let document: unknown
  try {
    document = JSON.parse(answer.text)
  } catch {
    return undefined
  }
  const content = isRecord(document) ? document['d'] : undefined
  const results: unknown = isRecord(content) ? content['results'] : content
  if (!Array.isArray(results)) return undefined
  const next = isRecord(content) ? content['__next'] : undefined
  return { rows: results.filter(isRecord), next: typeof next === 'string' ? next : undefined }
}
