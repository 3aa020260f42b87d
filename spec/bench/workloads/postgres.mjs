/** The shop in PostgreSQL, against hand-coded routes with `pg`. The CPU time of the database has a column of its own. */
import {
  atom,
  batch,
  changeSet,
  expand,
  feed,
  indexedTable,
  indexedTotals,
  insert,
  key,
  table,
  totals,
  withTotals,
} from './shop.mjs'
import { goal, ours } from './variants.mjs'

const handCoded = { name: 'hand-coded with pg, Express', server: 'hand-coded-postgres' }
const [express, fast, node] = ['express', 'fast', 'node'].map((host) => ours('postgres', host))

/** The database must not need more CPU time than for the hand-coded route, within the precision of its clock. */
const inPostgres = (workload, ratio, others) => ({
  ...workload,
  name: `postgres-${workload.name}`,
  title: `${workload.title}, PostgreSQL`,
  resources: ['postgres'],
  variants: [handCoded, express, fast, node],
  ...others,
  goals: [goal(express, ratio), goal(express, 0.95, handCoded, 'databaseRatio'), ...(others?.goals ?? [])],
})

const throughput = goal(express, 2.5, handCoded, 'throughputRatio')
const MAX_GC = 400

export const postgresWorkloads = [
  inPostgres(key, 1.3, { goals: [goal(fast, 2.7)] }),
  inPostgres(feed, 3.2, { goals: [throughput], maxGc: MAX_GC }),
  inPostgres(atom, 3.5, { goals: [throughput] }),
  inPostgres(expand, 2.7),
  inPostgres({ ...batch, name: 'keys' }, 0.8),
  inPostgres(table, 0.5),
  inPostgres(indexedTable, 0.5),
  withTotals(inPostgres(totals, 1)),
  withTotals(inPostgres(indexedTotals, 1)),
  // Each server inserts into a database of its own.
  inPostgres(insert, 1.1, { isChange: true, goals: [goal(fast, 1.8)] }),
  inPostgres(changeSet, 1.1, { isChange: true }),
]
