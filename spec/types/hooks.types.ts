/** Checks the types of hooks and messages; see `model.types.ts` for how it is tested. */
import type { EntityHooks, HookCall, Hooks, Message, ODataV2Options, Provider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2, readEdmx } from '../../lib/index.js'

/** True for two types that are the same, not merely assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const yes = <Claim extends true>(_claim?: Claim): void => undefined

const shop = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Name: edm.String({ nullable: false }),
        Price: edm.Decimal(),
        Stock: edm.Int64({ nullable: false }),
      },
    },
    Note: { key: ['Code'], properties: { Code: edm.String({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' }, Notes: { entityType: 'Note' } } },
})
type Shop = typeof shop

interface Caller {
  readonly user: string
}

// Entities and the caller are known in every hook.
export const hooks: Hooks<Shop, Caller> = {
  Products: {
    beforeInsert(entity, { context, entitySet, media, changeSet }) {
      yes<Same<typeof entity.Name, string | undefined>>()
      yes<Same<typeof entity.Stock, bigint | undefined>>()
      yes<Same<typeof entity.Price, string | null | undefined>>()
      yes<Same<typeof context, Caller>>()
      const name: string = entitySet
      const isMedia: boolean = media
      if (changeSet === undefined || isMedia || name === '') return
      return { Name: context.user, Price: 12.5, Stock: 5 }
    },
    afterInsert: (entity) => entity.Name.length,
    beforeUpdate: async (changes, current) => {
      await Promise.resolve()
      return changes.Name === undefined ? undefined : { Name: changes.Name + current.Name }
    },
    async afterUpdate(entity, previous) {
      await Promise.resolve(entity.ID === previous.ID)
    },
    beforeDelete(current, { messages }) {
      messages.add({ code: 'x', message: current.Name, severity: 'info' })
    },
    // @ts-expect-error: there is no such property
    afterDelete: (previous) => previous.Color,
  },
}

// Hooks return values of the set.
export const returned: Hooks<Shop>['Products'][] = [
  { beforeInsert() {} },
  { async beforeInsert() {} },
  { beforeInsert: () => undefined },
  { beforeInsert: () => ({ Price: null }) },
  { beforeInsert: (entity) => ({ ...entity }) },
  { beforeUpdate: (changes, current) => ({ ...current, ...changes }) },
  // @ts-expect-error: a name is a text
  { beforeInsert: () => ({ Name: 5 }) },
  // @ts-expect-error: a name cannot be null
  { beforeUpdate: () => ({ Name: null }) },
  // @ts-expect-error: the property is called Name
  { beforeUpdate: () => ({ Nmae: 'x' }) },
  // @ts-expect-error: the hook is called beforeInsert
  { beforeinsert() {} },
]

// The arguments of hooks are read-only.
export const inPlace: Hooks<Shop> = {
  Products: {
    beforeInsert(entity) {
      // @ts-expect-error: return it instead
      entity.Name = 'x'
    },
  },
  // @ts-expect-error: there is no such set
  Product: {},
}

// In the options of a service the model and the caller say it.
odataV2(shop, memoryProvider(shop), {
  context: (req) => ({ user: req.get('x-user') ?? '' }),
  authorize: (_operation, { user }) => (user === '' ? 'false' : undefined),
  hooks: {
    Products: { beforeInsert: ({ Name }, { context }) => ({ Name: `${String(Name)} ${context.user}` }) },
    Notes: { beforeDelete: ({ Text }) => Text?.length },
  },
})
const provider = memoryProvider(shop) as unknown as Provider<Shop, Caller>
odataV2(shop, provider, {
  context: () => ({ user: 'me' }),
  hooks: { Notes: { beforeInsert: (_entity, { context }) => ({ Text: context.user }) } },
})
odataV2(shop, memoryProvider(shop), {
  hooks: { Notes: { beforeInsert: ({ Code }) => ({ Text: Code ?? null }) } },
})
odataV2(shop, memoryProvider(shop), {
  context: () => ({ user: 'me' }),
  // @ts-expect-error: the context has no role
  hooks: { Notes: { beforeInsert: (_entity, { context }) => ({ Text: context.role }) } },
})
// @ts-expect-error: there is no such set
odataV2(shop, memoryProvider(shop), { hooks: { Note: {} } })
odataV2(shop, memoryProvider(shop), { hooks, context: () => ({ user: 'me' }) })

// Models from EDMX have no static types.
odataV2(readEdmx(''), memoryProvider(readEdmx('')), {
  hooks: { Anything: { beforeInsert: ({ Name }) => ({ Name: String(Name) }) } },
})

// Options in constants of their own, with and without a model.
export const plain: ODataV2Options<Caller> = {
  hooks: { Any: { afterInsert: (entity, { context }) => [entity.Name, context.user] } },
}
export const ofShop: ODataV2Options<Caller, Shop> = { hooks }
export const audit: EntityHooks = {
  afterUpdate: (entity, previous, call: HookCall) => [entity, previous, call],
}

// Messages.
export const messages: Message[] = [
  { code: 'A', message: 'b', severity: 'success' },
  {
    code: 'A',
    message: 'b',
    severity: 'warning',
    target: 'Name',
    details: [{ code: 'A', message: 'b', severity: 'error' }],
  },
  // @ts-expect-error: it is called warning
  { code: 'A', message: 'b', severity: 'warn' },
  // @ts-expect-error: a message has a severity
  { code: 'A', message: 'b' },
]
