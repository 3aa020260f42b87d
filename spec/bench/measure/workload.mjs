/**
 * Runs a workload: all its variants at the same time, each in a process of its own, taking turns in several rounds, so
 * that other load on the machine affects all of them. The measure is the CPU time that a server
 * needs for a request, and its requests per second.
 */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillMysql } from '../shop/mysql.mjs'
import { fillPostgres, newDatabase } from '../shop/postgres.mjs'
import { productCount } from '../shop/rows.mjs'
import { sameResponse } from './responses.mjs'
import { responseOf, requestText } from './client.mjs'
import { ServerProcess } from './server-process.mjs'

const connections = 4
const firstRequests = 1000
const requestsAlone = 10
/** Milliseconds of processor time: what runs for days is compiled as well as it can be. */
const warmUp = 2500
const leadIn = 300

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

/** One server of a workload, with what was measured of it. */
class Contestant {
  constructor(workload, variant) {
    this.workload = workload
    this.variant = variant
    this.rounds = []
    this.requests = 0
    this.next = () => {
      const request = workload.request(this.requests++)
      return variant.path === undefined ? request : { ...request, path: variant.path(request.path) }
    }
  }

  async start(settings, { connections: count = connections, flags }) {
    const { server, settings: own } = this.variant
    this.restore = () => this.workload.restore?.(settings)
    await this.restore()
    this.server = await ServerProcess.start(server, { ...settings, ...own }, flags)
    this.response = await responseOf(this.server.port, this.next())
    this.server.connect(this.workload.connections ?? count)
  }

  async loadFirst(milliseconds) {
    const { status } = this.response
    await this.restore()
    this.first = await this.server.loadFirst(this.next, firstRequests, milliseconds, status)
  }

  async load(milliseconds) {
    await this.restore()
    return this.server.load(this.next, milliseconds, this.response.status)
  }

  /** Milliseconds for which single requests held the event loop at most. */
  async longestTurn() {
    const { alone = this.variant.ours ? requestsAlone : 1 } = this.workload
    const [connection] = this.server.connections
    return this.server.longestTurn(async () => {
      for (let count = 0; count < alone; count++) await connection.send(requestText(this.next()))
    })
  }
}

/**
 * @param bench the folder for what is made, the package under test, and the shop in SQLite
 * @returns what was measured of each variant, in their order
 */
export async function runWorkload(workload, variants, bench) {
  const contestants = variants.map((variant) => new Contestant(workload, variant))
  try {
    await startAll(workload, contestants, bench)
    for (const contestant of contestants) {
      await contestant.loadFirst(bench.quick ? 50 : warmUp)
      await contestant.load(bench.quick ? 50 : warmUp)
    }
    for (let round = 0; round < (bench.quick ? 1 : bench.rounds); round++) {
      for (const contestant of contestants) {
        // Others had their turn meanwhile, and V8 gives up code and memory of who is idle.
        await contestant.load(bench.quick ? 10 : leadIn)
        contestant.rounds.push(await contestant.load(bench.quick ? 50 : 400))
      }
    }
    for (const contestant of contestants) contestant.turn = await contestant.longestTurn()
    return contestants.map((contestant) =>
      resultOf(contestant, contestants[0], reference(contestants), workload),
    )
  } finally {
    for (const { server } of contestants) server?.stop()
  }
}

/** Other responses are compared with that of this package. */
const reference = (contestants) => contestants.find(({ variant }) => variant.ours) ?? contestants[0]

async function startAll(workload, contestants, bench) {
  const first = reference(contestants)
  const document = join(bench.folder, `${workload.name}.response`)
  const shared = { folder: bench.folder, count: productCount, document }
  for (const name of workload.resources ?? ['sqlite']) Object.assign(shared, await bench.resources[name]())
  for (const contestant of [first, ...contestants.filter((one) => one !== first)]) {
    const own = { ...shared, package: contestant.variant.package ?? bench.package }
    if (shared.database !== undefined) {
      own.database = join(bench.folder, `${workload.name}-${contestants.indexOf(contestant)}.sqlite`)
      copyFileSync(shared.database, own.database)
    }
    if (workload.isChange) await fillDatabases(own, `bench${contestants.indexOf(contestant)}`)
    await contestant.start(own, bench)
    if (contestant !== first) continue
    writeFileSync(document, first.response.body)
    shared.type = /^content-type: *(.*)$/im.exec(first.response.head)?.[1]
  }
}

/** Gives a server that changes data a database of its own. */
async function fillDatabases(settings, name) {
  if (settings.mysql !== undefined) settings.mysql = await fillMysql(name)
  if (settings.postgres === undefined) return
  settings.postgres = await newDatabase(settings.postgres, name)
  await fillPostgres(settings.postgres)
}

/** The CPU time of databases is known less precisely than that of servers: the mean of all rounds counts. */
const databaseOf = (rounds) =>
  rounds[0].database === undefined ? undefined : mean(rounds.map(({ database }) => database))

/** Returns a response without known errors of the server in its values. */
const correctedBy = ({ corrected }, response) =>
  corrected === undefined ? response : { ...response, body: corrected(response.body) }

function resultOf(
  { variant, rounds, turn, response, first: firstCpu },
  first,
  wanted,
  { response: kind = 'json' },
) {
  const ratio = (better) => median(rounds.map((round, index) => better(round, first.rounds[index])))
  return {
    name: variant.name,
    ours: variant.ours,
    cpu: median(rounds.map(({ cpu }) => cpu)),
    first: firstCpu,
    database: databaseOf(rounds),
    gc: median(rounds.map(({ gc }) => gc)),
    cpuRatio: ratio((own, base) => base.cpu / own.cpu),
    databaseRatio: databaseOf(first.rounds) / databaseOf(rounds),
    throughput: median(rounds.map(({ throughput }) => throughput)),
    throughputRatio: ratio((own, base) => own.throughput / base.throughput),
    peak: Math.max(...rounds.map(({ peak }) => peak)),
    turn,
    response: sameResponse(kind, wanted.response, correctedBy(variant, response)),
    rounds,
  }
}
