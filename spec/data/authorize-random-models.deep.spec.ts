import type { EdmModel } from '../../lib/edm/edm-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import { Random, seedOf } from '../fuzz/mutation/random.js'
import { batchBody, get, postBatch } from '../support/batch-exchange.js'
import type { LiveResponse } from '../support/live-server.js'
import { LiveServer } from '../support/live-server.js'
import { runs, seed } from '../support/random.js'
import type { RandomData } from '../support/random-services/random-data.js'
import { dataLeft, randomData } from '../support/random-services/random-data.js'
import { markName, randomModel } from '../support/random-services/random-model.js'
import type { RandomStore, StoreKind } from '../support/random-services/random-providers.js'
import { openStore, storeKinds } from '../support/random-services/random-providers.js'
import { RandomRequests } from '../support/random-services/random-requests.js'

/** The number of models for each kind of store. Two users send several requests to each. */
const models = runs(60)
const requestsPerModel = 8
const users = ['ada', 'ben'] as const
const root = 'http://random.test/'

type Filters = Readonly<Record<string, string | undefined>>
type Headers = Readonly<Record<string, string>>

describe.each(storeKinds)('A service on a random model that hides entities, on %s', (kind) => {
  let server: LiveServer

  beforeAll(async () => {
    server = await LiveServer.start()
  })

  afterAll(() => server.close())

  it('MUST return the same bytes as a service without the hidden data', async () => {
    for (let index = 0; index < models; index++) {
      await new Case(server, kind, index).run()
    }
  })
})

/** One model with its data, and what its users may see of it. */
class Case {
  private readonly random: Random
  private readonly model: EdmModel
  private readonly data: RandomData
  private readonly requests: RandomRequests
  private readonly filters: Readonly<Record<string, Filters>>
  private readonly errors: unknown[] = []

  constructor(
    private readonly server: LiveServer,
    private readonly kind: StoreKind,
    private readonly index: number,
  ) {
    this.random = new Random(seedOf(seed, index))
    this.model = randomModel(this.random)
    this.data = randomData(this.random, this.model)
    this.requests = new RandomRequests(this.random, this.model, this.data)
    this.filters = Object.fromEntries(users.map((user) => [user, this.randomFilters()]))
  }

  async run(): Promise<void> {
    const stores: RandomStore[] = []
    const open = async (data: RandomData): Promise<RandomStore> => {
      const store = await openStore(this.kind, this.model, data)
      stores.push(store)
      return store
    }
    try {
      const all = await open(this.data)
      this.mount('all', all, {}, 0)
      this.mount('restricted', all, this.filters)
      for (const user of users) {
        const left = await this.dataFor(this.filters[user] ?? {})
        this.mount(`only-${user}`, await open(left), {})
      }
      await this.compare()
    } finally {
      for (const store of stores) await store.close()
    }
  }

  private randomFilters(): Filters {
    const { entitySets } = this.model.defaultContainer
    const filter = (set: (typeof entitySets)[number]) =>
      this.random.below(4) === 0 ? undefined : this.requests.filter(set)
    return Object.fromEntries(entitySets.map((set) => [set.name, filter(set)]))
  }

  private mount(
    name: string,
    { provider }: RandomStore,
    filters: Readonly<Record<string, Filters>>,
    pageSize = 2,
  ): void {
    const service = odataV2(this.model, provider, {
      serviceRoot: root,
      pageSize,
      onError: (error) => {
        this.errors.push(error.cause ?? error)
      },
      context: (req) => String(req.headers['x-user']),
      authorize: ({ kind, entitySet }, user) =>
        kind === 'function' ? undefined : filters[user]?.[entitySet],
    })
    this.server.mount(name, service)
  }

  /** The rows that filters leave, as a service that hides nothing says. */
  private async dataFor(filters: Filters): Promise<RandomData> {
    const left = new Map<string, ReadonlySet<number>>()
    for (const [set, filter] of Object.entries(filters)) {
      if (filter === undefined) continue
      const path = `/all/${set}?$select=${markName}&$filter=${encodeURIComponent(filter)}`
      const { status, text } = await this.server.get(path, { Accept: 'application/json' })
      if (status !== 200) throw new Error(`${path}: ${text}`, { cause: this.errors[0] })
      const { d } = JSON.parse(text) as { d: { results: { [markName]: number }[] } }
      left.set(set, new Set(d.results.map((row) => row[markName])))
    }
    return dataLeft(this.model, this.data, (set, place) => left.get(set)?.has(place) ?? true)
  }

  private async compare(): Promise<void> {
    const paths = Array.from({ length: requestsPerModel }, () => this.requests.request())
    for (const path of paths) {
      const accept =
        this.random.below(3) === 0 ? 'application/atom+xml,application/xml;q=0.9' : 'application/json'
      for (const user of users) await this.comparePages(path, user, accept)
    }
    for (const user of users) await this.compareBatch(paths, user)
  }

  /** A page and those that follow it, both taken from the links of the one service. */
  private async comparePages(path: string, user: string, accept: string): Promise<void> {
    let next: string | undefined = path
    for (let page = 0; next !== undefined && page < 4; page++) {
      const headers = { Accept: `${accept},text/plain;q=0.5,*/*;q=0.1`, 'X-User': user }
      const expected = await this.response(`only-${user}`, next, headers)
      const found = await this.response('restricted', next, headers)
      expect({ ...this.circumstances(next, user), ...found }).toEqual({
        ...this.circumstances(next, user),
        ...expected,
      })
      next = nextIn(expected.text)
    }
  }

  private async compareBatch(paths: readonly string[], user: string): Promise<void> {
    const body = batchBody(...paths.map((path) => get(path.slice(1))))
    const send = async (name: string): Promise<unknown> => {
      const { status, text } = await postBatch(this.server.port, body, { 'X-User': user }, `/${name}/$batch`)
      const boundary = /^--(\S+)/.exec(text)?.[1] ?? ''
      return { status, text: text.replaceAll(boundary, 'boundary') }
    }
    expect([this.circumstances('$batch', user), await send('restricted')]).toEqual([
      this.circumstances('$batch', user),
      await send(`only-${user}`),
    ])
  }

  /** Returns the input that reproduces a failure. */
  private circumstances(path: string, user: string): object {
    const { kind, index } = this
    return { seed, index, kind, path: decodeURIComponent(path), user, filters: this.filters[user] }
  }

  private async response(
    name: string,
    path: string,
    headers: Headers,
  ): Promise<Pick<LiveResponse, 'status' | 'text'>> {
    const { status, headers: responded, text } = await this.server.get(`/${name}${path}`, headers)
    if (status >= 500 && status !== 501) throw new Error(`${path}: ${text}`, { cause: this.errors[0] })
    // The framing of a response depends on the result cache.
    const own = new Set(['date', 'keep-alive', 'content-length', 'transfer-encoding'])
    return {
      status,
      text: text.replace(/<updated>[^<]*<\/updated>/g, '<updated/>'),
      ...{ headers: Object.fromEntries(Object.entries(responded).filter(([header]) => !own.has(header))) },
    }
  }
}

function nextIn(text: string): string | undefined {
  const uri =
    /"__next":"([^"]*)"\}\}$/.exec(text)?.[1] ?? /<link rel="next" href="([^"]*)"\/><\/feed>$/.exec(text)?.[1]
  return uri === undefined ? undefined : `/${uri.slice(root.length).replaceAll('&amp;', '&')}`
}
