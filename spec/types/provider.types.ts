/** What the compiler says about providers and the options of a service; see `model.types.ts` for how it is tested. */
import type { EntityOf, KeyOf, ODataV2Options, Provider } from '../../lib/index.js'
import {
  defineModel,
  edm,
  fileModel,
  filter,
  memoryProvider,
  ODataError,
  odataV2,
  readEdmx,
} from '../../lib/index.js'

const shop = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      hasStream: true,
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String(), Stock: edm.Int64() },
    },
    Note: { key: ['Code'], properties: { Code: edm.String({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' }, Notes: { entityType: 'Note' } } },
})
type Shop = typeof shop

interface Caller {
  readonly user: string
}

const products: EntityOf<Shop, 'Products'>[] = [{ ID: 1, Name: 'Gouda', Stock: 5n }]
const note: EntityOf<Shop, 'Notes'> = { Code: 'a', Text: null }

// Rows, keys and the caller are known in every member of a provider.
export const provider: Provider<Shop, Caller> = {
  entitySets: {
    Products: {
      read: (query, { context, signal }) => {
        const user: string = context.user
        const aborted: boolean = signal.aborted
        const top: number | undefined = query.top
        return user === '' || aborted || top === 0 ? [] : products
      },
      readByKey: ({ ID }) => products.find((one) => one.ID === ID),
      count: () => 1,
      pushdown: { filter: (condition) => condition.kind === 'Binary', paging: true },
    },
    Notes: {
      async *read() {
        yield [note]
        yield await Promise.resolve([note])
      },
    },
  },
  functions: { Total: ({ min }, { user }) => (typeof min === 'number' && user !== '' ? 1 : 0) },
}

// Rows come at once, in arrays over time, or in a promise of either.
export const ways: Provider<Shop>['entitySets']['Notes'][] = [
  { read: () => [note] },
  { read: async () => [note] },
  { read: () => [[note], [note]].values() },
  // @ts-expect-error: rows are of the type of the set
  { read: () => [{ Code: 1, Text: null }] },
  { read: () => [{ Code: 'a' }] },
  // @ts-expect-error: a row has its key
  { read: () => [{ Text: 'a' }] },
  // @ts-expect-error: a promise for each row is what must not be
  { read: () => [Promise.resolve(note)] },
  // @ts-expect-error: read is the one member that is needed
  { count: () => 0 },
  // @ts-expect-error: a key has the properties of this set's key
  { read: () => [], readByKey: ({ ID }) => ID },
]

// Every set of the model has a provider, and no other.
// @ts-expect-error: Notes are missing
export const half: Provider<Shop> = { entitySets: { Products: { read: () => products } } }
export const more: Provider<Shop> = {
  entitySets: {
    Products: { read: () => products },
    Notes: { read: () => [] },
    // @ts-expect-error: there is no such set
    Others: { read: () => [] },
  },
}

// The provider says who the caller is, and the options are checked against it.
odataV2(shop, provider, { context: () => ({ user: 'me' }) })
odataV2(shop, provider, { context: async (req) => ({ user: req.get('x-user') ?? '' }) })
odataV2(shop, provider, {
  context: () => ({ user: 'me' }),
  authorize: (operation, { user }) => {
    if (operation.kind === 'function') throw new ODataError('Forbidden')
    return operation.entitySet === 'Notes' ? filter`Text eq ${user}` : undefined
  },
})
// @ts-expect-error: a caller has a user
odataV2(shop, provider, { context: () => ({ name: 'me' }) })
odataV2(shop, provider, {
  context: () => ({ user: 'me' }),
  // @ts-expect-error: a caller has no role
  authorize: (_operation, { role }) => (role === 'admin' ? undefined : 'false'),
})

// Without a provider that says it, the context option does, and the hooks know it.
odataV2(shop, memoryProvider(shop, { Notes: [{ Code: 'a' }] }), {
  context: (req) => ({ user: req.get('x-user'), admin: false }),
  authorize: (operation, { user, admin }) => {
    const name: string | undefined = user
    const isAdmin: boolean = admin
    return isAdmin || operation.kind === 'function' ? undefined : filter`Text eq ${name}`
  },
})
odataV2(shop, memoryProvider(shop), {
  context: async () => ({ user: 'me' }),
  // @ts-expect-error: the context has no role
  authorize: (_operation, { role }) => (role === 'admin' ? undefined : 'false'),
})

// A model from EDMX takes any provider of untyped rows.
odataV2(readEdmx(''), { entitySets: { Anything: { read: () => [{ ID: 1 }] } } })
odataV2(readEdmx(''), memoryProvider(readEdmx(''), { Anything: [{ ID: 1 }] }))
odataV2(fileModel, { entitySets: { Files: { read: () => [] } } })

// A provider of another model does not fit.
// @ts-expect-error: the provider has no Files
odataV2(fileModel, provider)

// Data are of the types of the sets.
memoryProvider(shop, { Products: [{ ID: 1, Name: 'Gouda', Stock: 5 }] })
// @ts-expect-error: there is no such set
memoryProvider(shop, { Product: [] })
// @ts-expect-error: a name is a text
memoryProvider(shop, { Products: [{ ID: 1, Name: 5 }] })

// Slips in options.
export const options: ODataV2Options[] = [
  { pageSize: 50 },
  { pageSize: { Products: 50 } },
  {
    disabledQueryOptions: ['$filter', '$orderby'],
    limits: { url: 4096 },
    serviceRoot: 'https://example.org/',
  },
  { onError: (error, req) => console.error(error.code, error.cause, req.originalUrl) },
  // @ts-expect-error: the option is called pageSize
  { pagesize: 50 },
  // @ts-expect-error: a size is a number
  { pageSize: '50' },
  // @ts-expect-error: the options of the protocol start with a dollar sign
  { disabledQueryOptions: ['filter'] },
  // @ts-expect-error: there is no such limit
  { limits: { uri: 4096 } },
  // @ts-expect-error: onError is told, not asked
  { onError: 'log' },
]

// Errors.
export const errors = [
  new ODataError('ResourceNotFound'),
  new ODataError('Unauthorized', { message: 'Sign in.', details: { wwwAuthenticate: 'Basic realm="x"' } }),
  new ODataError('Conflict', { cause: new Error('x'), innererror: { errordetails: [] } }),
  // @ts-expect-error: the code is called ResourceNotFound
  new ODataError('NotFound'),
  // @ts-expect-error: the option is called message
  new ODataError('Conflict', { text: 'x' }),
]

// Keys go where keys are asked for.
export const take = (key: KeyOf<Shop, 'Notes'>): string => key.Code
