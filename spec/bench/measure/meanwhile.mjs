/** Measures the latency of small requests while large documents are sent, one after another. */
import { Connection, requestText } from './client.mjs'
import { startAll } from './growth.mjs'
import { atMost, goalsTable, table } from './report.mjs'

const documents = 3

export async function runMeanwhile({ title, path, read, most, ...service }, bench) {
  const servers = await startAll(service, bench)
  const { server } = servers.at(-1)
  const reader = new Connection(server.port)
  try {
    const [connection] = server.connections
    const text = requestText({ path })
    // The first file warms up.
    await connection.send(text)
    const before = await server.send('usage')
    let isSent = false
    const sending = (async () => {
      for (let count = 0; count < (bench.quick ? 1 : documents); count++) await connection.send(text)
      isSent = true
    })()
    const times = []
    while (!isSent) {
      const begin = performance.now()
      const { status } = await reader.send(requestText({ path: read(times.length), headers }))
      if (status !== 200) throw new Error(`${read(times.length)} returned ${status}`)
      times.push(performance.now() - begin)
    }
    await sending
    const { cpu } = await server.send('usage')
    times.sort((one, other) => one - other)
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
    const goals = [atMost(title, 'p99 of a read', at(0.99), most, 'ms')]
    const milliseconds = [at(0.5), at(0.99), times.at(-1)].map((time) => `${time.toFixed(1)} ms`)
    const row = [String(times.length), ...milliseconds, `${((cpu - before.cpu) / 1e6).toFixed(2)} s`]
    const rows = table(['reads', 'p50', 'p99', 'maximum', 'CPU of files and reads'], [row])
    return { text: [`## ${title}`, rows, goalsTable(goals)].join('\n\n'), goals }
  } finally {
    reader.close()
    for (const one of servers) one.server.stop()
  }
}

const headers = { accept: 'application/json' }
