import type { Provider } from '../../lib/provider/provider.js'
import { authorizeHiding, columnRequests, hiddenColumns, modelWithout } from '../support/hidden-columns.js'
import { fc, runs, seed } from '../support/random.js'
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

    it(
      'MUST respond byte for byte like a service whose model lacks the columns',
      async () => {
        const accepts = fc.constantFrom('application/json', 'application/atom+xml')
        await fc.assert(
          fc.asyncProperty(hiddenColumns, columnRequests, accepts, async (hidden, requests, accept) => {
            services.mount(
              'hiding',
              provider,
              { pageSize: 3, authorize: authorizeHiding(hidden) },
              contractModel(),
            )
            services.mount(
              'lacking',
              provider,
              { pageSize: 3, authorize: () => undefined },
              modelWithout(hidden),
            )
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
