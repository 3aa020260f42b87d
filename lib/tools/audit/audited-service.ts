import { readEdmx } from '../../csdl/read-edmx.js'
import { ModelError } from '../../edm/build/model-faults.js'
import type { EdmModel, EntitySet } from '../../edm/edm-model.js'
import { XmlError } from '../../xml/parse-xml.js'
import type { AuditRequest } from './answer.js'
import { Answer } from './answer.js'
import { CsrfToken } from './csrf-token.js'
import { readSample } from './read-sample.js'
import type { Sample } from './sample.js'
import type { Transport } from './transport.js'
import { TransportError } from './transport.js'

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
