/** The shop in PostgreSQL, against hand-coded routes with `pg`. The CPU time of the database has a column of its own. */
import { atom, expand, feed, insert, key } from './shop.mjs'
import { goal, ours } from './variants.mjs'

const byHand = { name: 'by hand with pg, Express', server: 'by-hand-postgres' }
const [express, fast, node] = ['express', 'fast', 'node'].map((host) => ours('postgres', host))

const inPostgres = (workload, ratio, others) => ({
  ...workload,
  name: `postgres-${workload.name}`,
  title: `${workload.title}, PostgreSQL`,
  resources: ['postgres'],
  variants: [byHand, express, fast, node],
  goals: [goal(express, ratio)],
  ...others,
})

export const postgresWorkloads = [
  inPostgres(key, 1.2),
  inPostgres(feed, 1.8),
  inPostgres(atom, 1.8),
  inPostgres(expand, 1.5),
  // Each server inserts into a database of its own.
  inPostgres(insert, 1, { changesPostgres: true }),
]
