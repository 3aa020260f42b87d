import type { Provider } from '../../lib/provider/provider.js'
import type { HiddenColumns } from '../support/hidden-columns.js'
import { authorizeHiding, columnRequests, hiddenColumns, modelWithout } from '../support/hidden-columns.js'
import { fc, runs, seed } from '../support/random.js'
import { batchBody, get, postBatch } from '../support/batch-exchange.js'
import { contractModel } from './contract-model.js'
import { ContractServices } from './contract-service.js'

/** Milliseconds for one property: machines may have other things to do. */
const TIMEOUT_MS = 300_000

/** Tests that a service which hides columns responds like one whose model lacks them. */
export function describeHiddenColumns(name: string, open: () => Promise<Provider>, count: number): void {
  describe(`A service on ${name} that hides columns`, () => {
    let services: ContractServices
    let provider: Provider

    beforeAll(async () => {
      services = await ContractServices.start()
      provider = await open()
    })

    afterAll(() => services.close())

    function mount(hidden: HiddenColumns): void {
      const authorize = authorizeHiding(hidden)
      services.mount('hiding', provider, { pageSize: 3, authorize }, contractModel())
      services.mount('lacking', provider, { pageSize: 3, authorize: () => undefined }, modelWithout(hidden))
    }

    async function batch(service: string, paths: readonly string[]): Promise<string> {
      const body = batchBody(...paths.map((path) => get(path.slice(1))))
      const { text } = await postBatch(services.port, body, {}, `/${service}/$batch`)
      const boundary = /^--(\S+)/.exec(text)?.[1] ?? ''
      return text.replaceAll(boundary, 'boundary')
    }

    it(
      'MUST respond to batches like a service whose model lacks the columns',
      async () => {
        await fc.assert(
          fc.asyncProperty(hiddenColumns, columnRequests, async (hidden, requests) => {
            mount(hidden)
            const actual = await batch('hiding', requests)
            expect(actual).toEqual(await batch('lacking', requests))
          }),
          { numRuns: runs(count / 2), seed },
        )
      },
      TIMEOUT_MS,
    )

    it(
      'MUST respond byte for byte like a service whose model lacks the columns',
      async () => {
        const accepts = fc.constantFrom('application/json', 'application/atom+xml')
        await fc.assert(
          fc.asyncProperty(hiddenColumns, columnRequests, accepts, async (hidden, requests, accept) => {
            mount(hidden)
            for (const path of requests) {
              // The second response may come from the cache of pages.
              for (let repetition = 0; repetition < 2; repetition++) {
                const actual = await services.comparablePages('hiding', path, { accept })
                const expected = await services.comparablePages('lacking', path, { accept })
                expect({ path, responses: actual }).toEqual({ path, responses: expected })
              }
            }
          }),
          { numRuns: runs(count), seed },
        )
      },
      TIMEOUT_MS,
    )
  })
}
