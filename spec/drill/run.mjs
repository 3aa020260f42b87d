/**
 * Runs the drill: `npm run drill -- [galera] [postgres] [--scale 10]`. Processes of the service behind HAProxy, on a cluster,
 * serve clients while processes, nodes and Redis fail; afterwards, the data are compared with the acknowledged changes.
 */
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFreePort } from '../support/sql/free-port.mjs'
import { clusters } from './clusters.mjs'
import { Load, Phase } from './load.mjs'
import { endAll, Service, startProxy, startRedis } from './programs.mjs'
import { reportOf } from './report.mjs'
import { moreRows, tables } from './shop.mjs'

const PROCESSES = 4
const CLIENTS = 8
const MAX_SCALE = 100
/** Longer than the proxy needs to notice that a process drains. */
const DRAIN_MS = 2500
const SECONDS = { warmUp: 5, steady: 8, fault: 8, nodeFault: 15 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { scale: { type: 'string', default: '1' }, verbose: { type: 'boolean', default: false } },
})
const scale = Number(values.scale)
const names = positionals.length === 0 ? Object.keys(clusters) : positionals
if (!names.every((name) => name in clusters) || !Number.isInteger(scale) || scale < 1 || scale > MAX_SCALE) {
  console.log(`npm run drill -- [${Object.keys(clusters).join('] [')}] [--scale 1] [--verbose]`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void endAll().then(() => process.exit(1)))

let isGood = true
try {
  for (const name of names) isGood = (await drill(name)) && isGood
} catch (error) {
  console.error(error)
  isGood = false
} finally {
  await endAll()
}
process.exitCode = isGood ? 0 : 1

/** @returns whether nothing was lost, wrong or duplicate */
async function drill(name) {
  const cluster = await clusters[name]()
  for (const statement of tables(cluster.kind, CLIENTS)) await cluster.query(statement)
  // Pages are shared by the version of the data, which only PostgreSQL has.
  const redis = cluster.kind === 'postgres' ? await startRedis() : undefined
  const env = {
    DATABASE_URL: cluster.url,
    DRAIN_MS: String(DRAIN_MS),
    NODE_ENV: 'production',
    ...(redis === undefined ? {} : { REDIS_PORT: String(redis.port) }),
  }
  const services = []
  for (let index = 0; index < PROCESSES; index++) services.push(new Service(await findFreePort(), env))
  const proxy = await startProxy(services, cluster)
  await proxy.untilDatabases()
  for (const service of services) await service.start()
  await proxy.untilUp()

  const load = new Load(proxy.port, CLIENTS)
  const phases = []
  /** @param work what happens meanwhile */
  const during = async (title, seconds, work) => {
    const phase = new Phase(title)
    phases.push(phase)
    load.phase = phase
    await Promise.all([work(phase), delay(seconds * 1000)])
    return phase
  }
  const steady = async () => {
    await during('warm-up', SECONDS.warmUp, () => undefined)
    const before = services.map(({ cpu }) => cpu)
    const phase = await during(`steady, scale ${load.scale}`, SECONDS.steady, () => undefined)
    phase.cpuMs = services.reduce((sum, { cpu }, index) => sum + cpu - before[index], 0)
  }
  await steady()
  if (scale > 1) {
    await load.stop()
    for (const statement of moreRows(cluster.kind, scale)) await cluster.query(statement)
    load.scale = scale
    load.start()
    await steady()
  }
  await during('kill -9 of three processes, one by one', SECONDS.fault, async (phase) => {
    for (const service of services.slice(1)) {
      phase.fault()
      await service.kill()
      await delay(500)
      await service.start()
      await proxy.untilUp()
    }
  })
  await during('rolling restart', SECONDS.fault, async (phase) => {
    phase.fault()
    for (const service of services) {
      await service.end()
      await service.start()
      await proxy.untilUp()
    }
  })
  if (redis !== undefined) {
    load.isQuiet = true
    let before = await redis.counts()
    for (const isFull of [false, true]) {
      await redis.setFull(isFull)
      const phase = await during(isFull ? 'full Redis' : 'Redis', SECONDS.fault, (now) => now.fault())
      const after = await redis.counts()
      phase.redis = Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]))
      before = after
    }
    await redis.setFull(false)
    load.isQuiet = false
  }
  await during(cluster.fault, SECONDS.nodeFault, async (phase) => {
    phase.fault()
    load.mayRefuseReads = cluster.refusesReads
    await cluster.loseNode()
    // The proxy and the pools notice it.
    await delay(2000)
    load.mayRefuseReads = false
  })
  if (cluster.rejoin !== undefined) {
    await during('the node joins again', SECONDS.fault, async (phase) => {
      phase.fault()
      await cluster.rejoin()
    })
  }
  await during('afterwards', SECONDS.fault, () => undefined)
  await load.stop()
  const found = { lost: 0, duplicates: 0, details: [] }
  for (const query of cluster.copies) {
    const { lost, duplicates, details } = await load.compare(query)
    found.lost += lost
    found.duplicates += duplicates
    found.details.push(...details)
  }
  const exits = services.reduce((sum, { unexpectedExits }) => sum + unexpectedExits, 0)
  const report = reportOf({
    cluster,
    phases,
    load,
    found,
    exits,
    isVerbose: values.verbose,
    processes: PROCESSES,
    clients: CLIENTS,
  })
  console.log(report.text)
  for (const service of services) await service.end()
  await proxy.stop()
  await redis?.stop()
  await cluster.stop()
  return report.isGood
}
