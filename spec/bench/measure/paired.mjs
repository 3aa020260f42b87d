/**
 * Compares two services in one process, for ratios near 1: two processes of the same service differ by up to a fifth.
 * The services take turns in short blocks of requests, in random order within each round.
 */
import { productCount } from '../shop/rows.mjs'
import { responseOf } from './client.mjs'
import { checkGoals, goalsTable, number, table } from './report.mjs'
import { sameResponse } from './responses.mjs'
import { ServerProcess } from './server-process.mjs'
import { median } from './workload.mjs'

const processes = 5
const connections = 4
/** Milliseconds of CPU time. */
const warmUp = 700
const block = 50

class PairedServer {
  static async start(settings, request) {
    const server = await ServerProcess.start('shop', { ...settings, host: 'paired' })
    server.connect(connections)
    return new PairedServer(server, request)
  }

  constructor(server, request) {
    this.server = server
    this.switched = false
    let requests = 0
    this.next = () => request(requests++)
    this.request = request
  }

  async use(switched) {
    if (switched !== this.switched) await this.server.send('switch')
    this.switched = switched
  }

  async response(switched) {
    await this.use(switched)
    const response = await responseOf(this.server.port, this.request(0))
    this.status = response.status
    return response
  }

  /** @returns microseconds of CPU time for a request of the service */
  async load(switched, milliseconds) {
    await this.use(switched)
    return (await this.server.load(this.next, milliseconds, this.status)).cpu
  }
}

/** @returns microseconds of both services and their ratio, for each round */
async function measureProcess(settings, { request, response = 'json' }, { quick, rounds }) {
  const paired = await PairedServer.start(settings, request)
  try {
    const [free, own] = [await paired.response(false), await paired.response(true)]
    if (sameResponse(response, free, own) === undefined)
      throw new Error(`${request(0).path}: different responses`)
    for (const switched of [false, true]) await paired.load(switched, quick ? 10 : warmUp)
    const results = []
    for (let round = 0; round < (quick ? 1 : 4 * rounds); round++) {
      const isFirst = Math.random() < 0.5
      const one = await paired.load(isFirst, block)
      const other = await paired.load(!isFirst, block)
      const [base, cpu] = isFirst ? [other, one] : [one, other]
      results.push({ base, cpu, ratio: base / cpu })
    }
    return results
  } finally {
    paired.server.stop()
  }
}

async function measurePair(workload, variant, bench) {
  const shared = { folder: bench.folder, count: productCount, package: bench.package }
  const settings = { ...shared, ...(await bench.resources.sqlite()), ...variant.settings }
  const results = []
  for (let count = 0; count < (bench.quick ? 1 : processes); count++)
    results.push(await measureProcess(settings, workload, bench))
  const all = results.flat()
  const of = (name, rounds = all) => median(rounds.map((round) => round[name]))
  const ratios = results.map((rounds) => of('ratio', rounds)).toSorted((a, b) => a - b)
  return { name: variant.name, base: of('base'), cpu: of('cpu'), cpuRatio: of('ratio'), ratios }
}

/** Compares each variant with the first, which has no `authorize`. */
export async function runPaired(workload, bench) {
  const [first, ...variants] = workload.variants
  const results = []
  for (const variant of variants) results.push(await measurePair(workload, variant, bench))
  const rows = results.map(({ name, base, cpu, cpuRatio, ratios }) => [
    name,
    `${number(base)} us`,
    `${number(cpu)} us`,
    `${cpuRatio.toFixed(3)}x`,
    `${ratios[0].toFixed(3)}x to ${ratios.at(-1).toFixed(3)}x`,
  ])
  const headings = ['server', 'CPU without authorize', 'CPU of a request', 'CPU ratio', 'range of processes']
  const goals = checkGoals(workload, [{ name: first.name, cpuRatio: 1 }, ...results])
  return { text: [`## ${workload.title}`, table(headings, rows), goalsTable(goals)].join('\n\n'), goals }
}
