import { sql } from 'kysely'
import { describeAbandonedChanges, describeHungHooks } from '../../support/sql/abandoned-changes.js'
import { describeDatabases } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { orderTables } from '../../support/sql/order-model.js'

/** Sessions of PostgreSQL that run a statement or have a transaction open. */
async function openTransactions(other: AnyDatabase): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(other)
  return Number(rows[0]?.n)
}

describeDatabases(({ kind, open, server }) => {
  if (kind === 'postgres') {
    describeAbandonedChanges({
      kind,
      canStop: true,
      open: async () => {
        const name = await server().newDatabase()
        const [own, other] = [server().connect(name, { max: 3 }), server().connect(name)]
        for (const statement of orderTables(kind)) await sql.raw(statement).execute(other)
        return { own, other }
      },
      transactions: openTransactions,
    })
  }

  describeHungHooks({
    kind,
    canStop: false,
    open: async () => {
      const own = await open(orderTables(kind))
      return { own, other: own }
    },
    ...(kind === 'postgres' ? { transactions: openTransactions } : {}),
  })
})
