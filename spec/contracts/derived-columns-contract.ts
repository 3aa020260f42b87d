import type { Provider } from '../../lib/provider/provider.js'
import { batchBody, get, postBatch } from '../support/batch-exchange.js'
import { fc, runs, seed } from '../support/random.js'
import type { HiddenPaths } from '../support/services/derived-columns.js'
import {
  derivedModel,
  derivedOptions,
  derivedPaths,
  hidingPaths,
  withNavigations,
} from '../support/services/derived-columns.js'
import type { ComparableResponse } from './contract-service.js'
import { ContractServices } from './contract-service.js'

const TIMEOUT_MS = 300_000

const setNames = ['Customers', 'Orders', 'Items', 'Sales', 'Stocks']
const hidden = fc.subarray([...derivedPaths], { minLength: 1, maxLength: 5 }).map(withNavigations)

/** The names of columns that requests on a set may name, also over its navigation properties. */
const names = setNames.flatMap((set) => namesOf(set).map((name) => [set, name] as const))

function namesOf(set: string): readonly string[] {
  const { entityType } = derivedModel().defaultContainer.entitySet(set) ?? {}
  const own = [...(entityType?.properties ?? []), ...(entityType?.navigationProperties ?? [])].map(
    ({ name }) => name,
  )
  const inner: Readonly<Record<string, readonly string[]>> = {
    Customers: ['Home/City', 'Home/Zip'],
    Orders: ['Customer/Name', 'Customer/Home/City'],
    Items: ['Addr/City', 'Addr/Zip', 'Order/Country', 'Order/Place', 'Order/Customer/Home/City'],
    Stocks: ['Order/Country'],
  }
  return [...own, ...(inner[set] ?? [])]
}

const places = [
  '$select',
  '$expand',
  '$orderby',
  '$filter',
  '$filter',
  'isof',
  'path',
  'value',
  'links',
  'focus',
] as const

/** Requests that name a column in one place, sometimes in a wrong spelling, so that messages suggest other names. */
const namingRequest = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('', '', 'x', '/x'), fc.constantFrom(...places))
  .map(([[set, column], suffix, place]) => {
    const name = column + suffix
    const path = `/${set}(1)/${name}`
    switch (place) {
      case 'path':
        return path
      case 'value':
        return `${path}/$value`
      case 'links':
        return `/${set}(1)/$links/${name}`
      case 'focus':
        return `/${set}?search=e&search-focus=${name}`
      case 'isof':
        return `/${set}?$filter=${encodeURIComponent(`cast('D.${derivedType(set)}')/${name} ne null`)}`
      case '$filter':
        return `/${set}?$filter=${encodeURIComponent(`${name} ne null`)}`
      default:
        return `/${set}?${place}=${name}`
    }
  })

function derivedType(set: string): string {
  return derivedModel().defaultContainer.entitySet(set)?.entityType.name ?? ''
}

/** Requests for data: whole sets, groups of some columns, searches, counts, exports and related entities. */
const dataRequest = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...setNames),
      fc.constantFrom('', '?$top=1', '/$count', '?$format=csv', '?$inlinecount=allpages&$top=1'),
    )
    .map(([set, rest]) => `/${set}${rest}`),
  fc
    .tuple(
      fc.constantFrom('Sales', 'Stocks'),
      fc.shuffledSubarray([...namesOf('Sales'), 'Land', 'Lands', 'Pieces', 'Shop'], {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([set, some]) =>
      `/${set}?$select=${some.join()}&$orderby=${some[0] ?? ''} desc`.replaceAll(' ', '%20'),
    ),
  fc
    .tuple(fc.constantFrom('Sales', 'Items'), fc.constantFrom('e', 'te', '1', 'ulm', 'de', 'at'))
    .map(([set, term]) => `/${set}?search=${term}`),
  fc.constantFrom(
    '/Items?$expand=Order/Customer',
    '/Orders?$expand=Customer,Items',
    '/Items(1)/Order/Customer',
    '/Orders(1)/Items?$orderby=Amount',
    '/Items?$format=csv&$expand=Order',
    '/Orders(1)/$links/Items',
    "/Sales?$filter=Country%20eq%20'DE'&$select=Amount,Currency",
    "/Sales/$count?$filter=City%20eq%20'Ulm'",
    "/Items?$filter=startswith(Label,'Tea')",
    '/Items?$orderby=Label,Shout%20desc&$top=2',
  ),
)

const requests = fc.array(
  fc.oneof({ weight: 3, arbitrary: namingRequest }, { weight: 2, arbitrary: dataRequest }),
  {
    minLength: 3,
    maxLength: 10,
  },
)

/** Tests that properties which are derived from hidden columns do not exist either. */
export function describeDerivedColumns(name: string, open: () => Promise<Provider>, count: number): void {
  describe(`A service on ${name} that hides columns which other properties are derived from`, () => {
    let services: ContractServices
    let provider: Provider
    let compared = 0

    beforeAll(async () => {
      services = await ContractServices.start()
      provider = await open()
    })

    afterAll(async () => {
      await services.close()
      if (process.env.COUNT !== undefined) console.log(`${name}: ${compared} requests compared`)
    })

    function mount(paths: HiddenPaths): void {
      const all = derivedOptions()
      services.mount(
        'hiding',
        provider,
        { ...all, pageSize: 3, authorize: hidingPaths(paths) },
        derivedModel(),
      )
      const lacking = { ...derivedOptions(paths), pageSize: 3, authorize: () => undefined }
      services.mount('lacking', provider, lacking, derivedModel(paths))
    }

    async function compare(path: string, accept: string): Promise<readonly ComparableResponse[]> {
      const actual = await services.comparablePages('hiding', path, { accept })
      const expected = await services.comparablePages('lacking', path, { accept })
      compared += actual.length
      expect({ path, responses: actual }).toEqual({ path, responses: expected })
      return actual
    }

    it(
      'MUST respond byte for byte like a service that never had them',
      async () => {
        const accepts = fc.constantFrom('application/json', 'application/atom+xml')
        await fc.assert(
          fc.asyncProperty(hidden, requests, accepts, async (paths, all, accept) => {
            mount(paths)
            for (const path of all) {
              const responses = await compare(path, accept)
              // Groups are also read by their ids.
              for (const { text } of responses) {
                const ids = [...text.matchAll(/http:\/\/depot\.test(\/(?:Sales|Stocks)\('[^'"]*'\))"/g)]
                for (const [, id = ''] of ids.slice(0, 2)) await compare(id, accept)
              }
            }
            const body = batchBody(...all.map((path) => get(path.slice(1))))
            const [one, other] = await Promise.all(
              ['hiding', 'lacking'].map(async (service) => {
                const { text } = await postBatch(services.port, body, {}, `/${service}/$batch`)
                return text.replaceAll(/^--(\S+)/.exec(text)?.[1] ?? '', 'boundary')
              }),
            )
            compared += all.length
            expect(one).toEqual(other)
          }),
          { numRuns: runs(count), seed },
        )
      },
      TIMEOUT_MS,
    )

    it(
      'MUST NOT name them in errors of bodies',
      async () => {
        const body = fc.tuple(fc.constantFrom(...names), fc.constantFrom('x', 'es', '_'))
        await fc.assert(
          fc.asyncProperty(hidden, body, async (paths, [[set, column], suffix]) => {
            mount(paths)
            const last = column.split('/').at(-1) ?? ''
            for (const [method, path] of [
              ['POST', `/${set}`],
              ['MERGE', `/${set}(1)`],
            ] as const) {
              const [actual, expected] = await Promise.all(
                ['hiding', 'lacking'].map((service) =>
                  services.change(service, method, path, { [last + suffix]: 1 }),
                ),
              )
              compared++
              expect(actual).toEqual(expected)
            }
          }),
          { numRuns: runs(count), seed },
        )
      },
      TIMEOUT_MS,
    )
  })
}
