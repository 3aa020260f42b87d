import type { EdmModel } from '../../../lib/edm/edm-model.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { SqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { EntitySetProvider, Provider } from '../../../lib/provider/provider.js'
import { alikeModel } from './alike-model.js'
import type { AlikeRows } from './alike-rows.js'
import type { AnyDatabase, FilledKind } from './model-tables.js'
import { createTables, fillTable } from './model-tables.js'

/** The rows in memory. */
export function alikeMemory(rows: AlikeRows): Provider {
  return memoryProvider(alikeModel(), alikeMemoryRows(rows))
}

/** The rows as the memory provider accepts them. */
export function alikeMemoryRows({
  successions,
  ...rows
}: AlikeRows): Record<string, Record<string, unknown>[]> {
  const next = new Map(successions)
  const Products = rows.Products.map((row) => {
    const ID = next.get(row.ID as number)
    return ID === undefined ? row : { ...row, Successor: { ID } }
  })
  return { ...rows, Products } as unknown as Record<string, Record<string, unknown>[]>
}

/** The rows in an empty database. */
export async function alikeDatabase(
  db: AnyDatabase,
  kind: FilledKind,
  rows: AlikeRows,
): Promise<SqlProvider<EdmModel, unknown>> {
  const model = alikeModel()
  await fillAlikeDatabase(db, kind, model, rows)
  const provider = sqlProvider(model, db)
  await provider.ready()
  return provider
}

/** Creates tables with the rows in an empty database. */
export async function fillAlikeDatabase(
  db: AnyDatabase,
  kind: FilledKind,
  model: EdmModel,
  { successions, ...rows }: AlikeRows,
): Promise<void> {
  await createTables(db, model, kind)
  for (const set of model.defaultContainer.entitySets) {
    await fillTable(db, set, rows[set.name as keyof typeof rows], kind)
  }
  for (const [Old_ID, New_ID] of successions) {
    await db.insertInto('Succession').values({ Old_ID, New_ID }).execute()
  }
}

/** Reduces a provider to reading whole sets and links: the library does all the rest. */
export function withoutPushdown(provider: Provider): Provider {
  const sets = Object.entries<EntitySetProvider>(provider.entitySets).map(([name, set]) => [
    name,
    { ...set, pushdown: { navigation: () => true } },
  ])
  return { entitySets: Object.fromEntries(sets) }
}
