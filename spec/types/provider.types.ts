/** Checks the types of providers and the options of a service; see `model.types.ts` for how it is tested. */
import type {
  Authorize,
  EntityOf,
  FunctionHandlers,
  FunctionName,
  FunctionParameters,
  KeyOf,
  ODataV2Options,
  Operation,
  Provider,
} from '../../lib/index.js'
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

/** True for two types that are the same, not merely assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const yes = <Claim extends true>(_claim?: Claim): void => undefined

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
  complexTypes: { Range: { properties: { From: edm.Int32({ nullable: false }), To: edm.Int32() } } },
  entityContainer: {
    entitySets: { Products: { entityType: 'Product' }, Notes: { entityType: 'Note' } },
    functionImports: {
      Total: { returnType: 'Edm.Int64', parameters: { min: { type: 'Edm.Int32' } } },
      Cheapest: {
        returnType: 'Shop.Product',
        entitySet: 'Products',
        parameters: { code: { type: 'Edm.String', nullable: false }, since: { type: 'Edm.DateTime' } },
      },
      Prices: { returnType: 'Collection(Shop.Range)' },
      Reset: { httpMethod: 'POST' },
    },
  },
})
const nothing = defineModel({
  namespace: 'Shop',
  entityTypes: { Note: { key: ['Code'], properties: { Code: edm.String({ nullable: false }) } } },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
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
      insert: (entity) => {
        yes<Same<typeof entity, { Code: string; Text?: string | null }>>()
        return { Text: null, ...entity }
      },
      update: ({ Code }, values) => {
        yes<Same<typeof values, { Code?: string; Text?: string | null }>>()
        // @ts-expect-error: the property is called Text
        return { Code, ...values, Text: values.Txt }
      },
      async *read() {
        yield [note]
        yield await Promise.resolve([note])
      },
    },
  },
  functions: {
    Total: ({ min }, { user }) => {
      yes<Same<typeof min, number | null>>()
      return user === '' ? min : 5n
    },
    Cheapest: async ({ code, since }, _context, { signal }) => {
      yes<Same<typeof code, string>>()
      yes<Same<typeof since, Date | string | null>>()
      await Promise.resolve(signal)
      return since === null ? null : { ID: 1, Name: code }
    },
    Prices: () => [{ From: 1 }, { From: 1, To: null }],
    Reset: () => undefined,
  },
}

// Handlers are those of the model: all of them, with its parameters and results.
type Handlers = FunctionHandlers<Shop, Caller>
const [handlers] = [provider.functions as Handlers]
export const wrong: Handlers[] = [
  // @ts-expect-error: the model has four functions
  { Total: handlers.Total },
  // @ts-expect-error: the function is called Total
  { ...handlers, Total: undefined, Totl: () => 5n },
  // @ts-expect-error: it returns a number
  { ...handlers, Total: () => true },
  // @ts-expect-error: a product has a key
  { ...handlers, Cheapest: () => ({ Name: 'x' }) },
  // @ts-expect-error: it returns an array
  { ...handlers, Prices: () => ({ From: 1 }) },
  // @ts-expect-error: the parameter is called min
  { ...handlers, Total: ({ max }) => max },
  // @ts-expect-error: a caller has no role
  { ...handlers, Total: (_parameters, { role }) => role },
]
memoryProvider(shop, {}, { functions: handlers })
// @ts-expect-error: functions are missing
memoryProvider(shop, {}, { functions: { Total: ({ min }) => min } })
// @ts-expect-error: the model has no functions
memoryProvider(nothing, {}, { functions: { Total: () => 5 } })
memoryProvider(readEdmx(''), {}, { functions: { Total: ({ min }) => min } })
// The handlers say who the caller is.
odataV2(
  shop,
  memoryProvider(
    shop,
    {},
    { functions: { ...handlers, Total: (_: object, { user }: Caller) => user.length } },
  ),
  {
    // @ts-expect-error: a caller has a user
    context: () => ({ name: 'me' }),
  },
)
yes<Same<FunctionName<Shop>, 'Total' | 'Cheapest' | 'Prices' | 'Reset'>>()
yes<Same<FunctionParameters<Shop, 'Reset'>, Readonly<Record<never, unknown>>>>()
yes<Same<FunctionName<typeof nothing>, never>>()

// Rows are returned as an array, in batches over time, or as a promise of either.
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
    if (operation.kind === 'function')
      throw new ODataError(operation.functionImport === 'Reset' ? 'Forbidden' : 'Conflict')
    // @ts-expect-error: the set is called Notes
    if (operation.entitySet === 'Note') return 'false'
    return operation.entitySet === 'Notes' ? filter`Text eq ${user}` : undefined
  },
})
// @ts-expect-error: a caller has a user
odataV2(shop, provider, { context: () => ({ name: 'me' }) })
// Rules of authorization in constants of their own, for one model and for any.
const ofShop: Authorize<Caller, Shop> = (operation, { user }) => {
  if (operation.kind === 'function') return
  yes<Same<typeof operation.entitySet, 'Products' | 'Notes'>>()
  // @ts-expect-error: the function is called Total
  if (user === '' && operation.kind === 'insert' && operation.functionImport === 'Totl') return 'false'
  return
}
const ofAny: Authorize<Caller> = ({ entitySet }: Operation) =>
  entitySet === 'Anything' ? 'false' : undefined
odataV2(shop, provider, { context: () => ({ user: 'me' }), authorize: ofShop })
odataV2(shop, provider, { context: () => ({ user: 'me' }), authorize: ofAny })
odataV2(shop, provider, { pageSize: { Products: 5 } })
// @ts-expect-error: the set is called Products
odataV2(shop, provider, { pageSize: { Product: 5 } })
odataV2(readEdmx(''), memoryProvider(readEdmx('')), { pageSize: { Anything: 5 } })
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
  // @ts-expect-error: onError must be a function
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

// Keys of the provider are accepted as arguments.
export const take = (key: KeyOf<Shop, 'Notes'>): string => key.Code
