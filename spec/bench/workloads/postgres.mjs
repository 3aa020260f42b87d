/** The shop in PostgreSQL, against hand-coded routes with `pg`. The CPU time of the database has a column of its own. */
import { expand, feed, key } from './shop.mjs'
import { goal, ours } from './variants.mjs'

const byHand = { name: 'by hand with pg, Express', server: 'by-hand-postgres' }
const [express, fast, node] = ['express', 'fast', 'node'].map((host) => ours('postgres', host))

const inPostgres = (workload, ratio) => ({
  ...workload,
  name: `postgres-${workload.name}`,
  title: `${workload.title}, PostgreSQL`,
  resources: ['postgres'],
  variants: [byHand, express, fast, node],
  goals: [goal(express, ratio)],
})

export const postgresWorkloads = [inPostgres(key, 1.2), inPostgres(feed, 1.5), inPostgres(expand, 1.5)]
