import { sql } from 'kysely'
import { describeAbandonedChanges, describeHungHooks } from '../../support/sql/abandoned-changes.js'
import { describeDatabases } from '../../support/sql/databases.js'
import { orderTables } from '../../support/sql/order-model.js'

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
      transactions: async (other) => {
        const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(other)
        return Number(rows[0]?.n)
      },
    })
  }

  describeHungHooks({
    kind,
    canStop: false,
    open: async () => {
      const own = await open(orderTables(kind))
      return { own, other: own }
    },
  })
})
