/** Checks the types of providers on databases; see `model.types.ts` for how it is tested. */
import type { Generated, Kysely } from 'kysely'
import { defineModel, edm, filter, odataV2 } from '../../lib/index.js'
import { introspect, openDatabase, sqlProvider } from '../../lib/sql.js'

const shop = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Note: { key: ['Code'], properties: { Code: edm.String({ nullable: false }), Text: edm.String() } },
  },
  entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
})

interface Tables {
  readonly notes: { readonly code: string }
}

// Whatever an instance knows of its tables.
export const onAny = (db: Kysely<unknown>) => sqlProvider(shop, db)
export const onKnown = (db: Kysely<Tables>) => sqlProvider(shop, db)
interface GeneratedTables {
  notes: { code: Generated<string>; text: string | null }
}
export const onGenerated = async (db: Kysely<GeneratedTables>) => {
  await introspect(db)
  const own = await openDatabase(db, { model: shop, mapping: { entitySets: { Notes: { table: 'notes' } } } })
  return odataV2(own.model, own.provider, { pageSize: { Notes: 5 } })
}
export const opened = async () => {
  const { model, provider, close } = await openDatabase('shop.sqlite', { driver: 'node:sqlite' })
  odataV2(model, provider, { pageSize: { Anything: 5 } })
  // @ts-expect-error: there is no such driver
  await openDatabase('shop.sqlite', { driver: 'sqlite3' })
  await close()
}
// @ts-expect-error: a database is an instance of Kysely
sqlProvider(shop, { query: () => [] })

// The context option says who the caller is, and authorize and the hooks know it.
export const service = (db: Kysely<Tables>) =>
  odataV2(shop, sqlProvider(shop, db), {
    context: (req) => ({ user: req.get('x-user') ?? '' }),
    authorize: (_operation, { user }) => filter`Text eq ${user}`,
    hooks: {
      Notes: {
        beforeInsert: (note, { context }) => ({ Text: `${note.Code ?? ''} by ${context.user}` }),
        // @ts-expect-error: a caller has no role
        beforeDelete: (note, { context }) => `${note.Code} by ${context.role}`,
      },
    },
  })

export const found = async (db: Kysely<Tables>) => {
  const model = await introspect(db)
  const provider = sqlProvider(model, db)
  return odataV2(model, provider, {
    context: () => ({ user: 'me' }),
    authorize: (_operation, { user }) => filter`owner eq ${user}`,
  })
}
