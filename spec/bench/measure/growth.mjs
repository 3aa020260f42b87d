/** Measures whether the cost of requests is independent of the amount of data: one service with growing data. */
import { responseOf, requestText } from './client.mjs'
import { atMost, goalsTable, table } from './report.mjs'
import { ServerProcess } from './server-process.mjs'
import { median } from './workload.mjs'

const rounds = 7
const perRound = 40

/** Starts a server for each count. */
export async function startAll({ kind, counts, fill, file, settings }, bench) {
  const servers = []
  for (const count of bench.quick ? [1000, 10_000] : counts) {
    const data = await bench.resources.once(`${kind} of ${count}`, () => fill(count, bench))
    const resources = { package: bench.package, count, ...data, ...settings }
    const server = await ServerProcess.start(file, resources, bench.flags)
    server.connect(1)
    servers.push({ count, server })
  }
  return servers
}

async function jsonOf({ server }, path, headers) {
  const { status, body } = await responseOf(server.port, { path, headers })
  if (status !== 200) throw new Error(`${path}: ${body.toString()}`)
  return JSON.parse(body.toString()).d
}

/** The paths of the requests, those of last pages being found out first. */
async function pathsOf(one, { requests, headers }) {
  const follow = async (path) => {
    const { pathname, search } = new URL((await jsonOf(one, path, headers)).__next)
    return pathname + search
  }
  const paths = {}
  for (const [name, request] of Object.entries(requests(one.count))) {
    const path = request.length === 2 ? await request(one, follow) : undefined
    paths[name] = path === undefined ? request : () => path
    await jsonOf(one, paths[name](0), headers)
  }
  return paths
}

/** Returns the milliseconds until a response: the median of several. */
async function timeOf({ server }, path, headers) {
  const [connection] = server.connections
  const times = []
  for (let n = 0; n < perRound; n++) {
    const text = requestText({ path: path(n), headers })
    const begin = performance.now()
    const { status } = await connection.send(text)
    times.push(performance.now() - begin)
    if (status !== 200) throw new Error(`${path(n)} returned ${status}`)
  }
  return median(times)
}

export async function runGrowth(growth, bench) {
  const servers = await startAll(growth, bench)
  try {
    for (const one of servers) one.paths = await pathsOf(one, growth)
    const names = Object.keys(servers[0].paths)
    const times = new Map(names.map((name) => [name, servers.map(() => [])]))
    for (let round = 0; round <= (bench.quick ? 1 : rounds); round++) {
      for (const name of names) {
        for (const [index, one] of servers.entries()) {
          const time = await timeOf(one, one.paths[name], growth.headers)
          // The first round warms up.
          if (round > 0) times.get(name)[index].push(time)
        }
      }
    }
    return growthReport(growth, servers, times)
  } finally {
    for (const { server } of servers) server.stop()
  }
}

const milliseconds = (value) => `${value.toFixed(2)} ms`

function growthReport({ title, most }, servers, times) {
  const medians = new Map([...times].map(([name, all]) => [name, all.map(median)]))
  const counts = servers.map(({ count }) => count.toLocaleString('en'))
  const ratios = [...medians].flatMap(([name, all]) => {
    const growth = { what: `${name}, ${counts.at(-1)} against ${counts[0]}`, ratio: all.at(-1) / all[0] }
    if (!name.startsWith('last')) return [growth]
    const first = medians.get(name.replace('last', 'first'))
    const pages = counts.map((count, n) => ({
      what: `${name} of ${count} against the first`,
      ratio: all[n] / first[n],
    }))
    return [growth, ...pages]
  })
  const largest = ratios.reduce((one, other) => (other.ratio > one.ratio ? other : one))
  const goals = [atMost(title, `largest growth: ${largest.what}`, largest.ratio, most, 'times the time')]
  const rows = [...medians].map(([name, all]) => [name, ...all.map(milliseconds)])
  return {
    text: [`## ${title}`, table(['request', ...counts], rows), goalsTable(goals)].join('\n\n'),
    goals,
  }
}
