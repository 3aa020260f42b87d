import type { ContractData } from '../../contracts/provider-contract.js'
import { contractFunctions, linkTables } from '../../contracts/contract-data.js'
import type { SqlProvider, SqlProviderOptions } from '../../../lib/providers/sql/sql-provider.js'
import { sqlProvider } from '../../../lib/providers/sql/sql-provider.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { AnyDatabase, FilledKind } from './model-tables.js'
import { createTables, fillTable } from './model-tables.js'

/** The rows of the provider contract in a database. */
export async function contractDatabase(
  db: AnyDatabase,
  kind: FilledKind,
  { model, rows }: ContractData,
  options: SqlProviderOptions = {},
): Promise<SqlProvider<EdmModel, unknown>> {
  await createTables(db, model, kind)
  for (const set of model.defaultContainer.entitySets) await fillTable(db, set, rows[set.name] ?? [], kind)
  for (const { from, to, links } of linkTables) {
    const container = model.defaultContainer
    const associationSet = container.associationSets.find(
      ({ association, ends }) =>
        association.referentialConstraint === undefined &&
        ends.some(({ entitySet }) => entitySet.name === from.set) &&
        ends.some(({ entitySet }) => entitySet.name === to.set),
    )
    if (associationSet === undefined) throw new Error(`No links between ${from.set} and ${to.set}.`)
    const columnOf = (side: typeof from): string => {
      const end = associationSet.ends.find(({ entitySet }) => entitySet.name === side.set)
      return `${end?.role ?? ''}_${side.key}`
    }
    for (const [one, other] of links) {
      await db
        .insertInto(associationSet.name)
        .values({ [columnOf(from)]: one, [columnOf(to)]: other })
        .execute()
    }
  }
  const provider = sqlProvider(model, db, { ...options, functions: contractFunctions(rows) })
  await provider.ready()
  return provider
}
