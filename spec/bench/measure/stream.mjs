/** A feed of everything for a reader that is slower than the server: what it takes of memory, and when it begins. */
import { setTimeout as delay } from 'node:timers/promises'
import { get } from 'node:http'
import { atMost, goalsTable, table } from './report.mjs'
import { requestText } from './client.mjs'
import { startAll } from './growth.mjs'

const chunkBytes = 4_000_000
const megabyte = 2 ** 20
const MAX_MEMORY_MB = 100

/** Reads slowly: after some megabytes it stops for a moment, and once for a second. */
function readSlowly(port, path, headers) {
  return new Promise((resolve, reject) => {
    const begin = performance.now()
    get({ port, host: '127.0.0.1', path, headers }, async (response) => {
      let [bytes, first, pauses] = [0, 0, 0]
      response.on('error', reject)
      for await (const chunk of response) {
        if (bytes === 0) first = performance.now() - begin
        bytes += chunk.length
        if (bytes < chunkBytes * (pauses + 1)) continue
        pauses++
        await delay(pauses === 5 ? 1000 : 10)
      }
      resolve({ bytes, first, all: performance.now() - begin })
    }).on('error', reject)
  })
}

async function measure({ count, server }, { path, headers }) {
  // The first feeds compile what is run.
  for (let warm = 0; warm < 3; warm++) await readSlowly(server.port, `${path}?$top=20000`, headers)
  const before = await server.send('watchMemory')
  const { first, all, bytes } = await readSlowly(server.port, path, headers)
  const peak = await server.send('memory')
  // A reader that is never waited for gives the server no reason to pause.
  const turn = await server.longestTurn(() => server.connections[0].send(requestText({ path, headers })))
  return { count, bytes, first, all, before, peak, turn }
}

export async function runStream(stream, bench) {
  const servers = await startAll(stream, bench)
  try {
    const results = []
    for (const one of servers) results.push(await measure(one, stream))
    return streamReport(stream, results)
  } finally {
    for (const { server } of servers) server.stop()
  }
}

const megabytes = (bytes) => `${Math.round(bytes / megabyte)} MB`

function streamReport({ title }, results) {
  const rows = results.map(({ count, bytes, first, all, before, peak, turn }) => [
    count.toLocaleString('en'),
    megabytes(bytes),
    `${first.toFixed(1)} ms`,
    `${(all / 1000).toFixed(1)} s`,
    megabytes(before),
    megabytes(peak),
    `${turn.toFixed(1)} ms`,
  ])
  const { before, peak } = results.at(-1)
  const memory = (peak - before) / megabyte
  const goals = [atMost(title, 'memory beyond what there was', memory, MAX_MEMORY_MB, 'MB')]
  const headings = [
    'entities',
    'bytes',
    'first byte',
    'last byte',
    'memory before',
    'peak memory',
    'longest turn',
  ]
  return { text: [`## ${title}`, table(headings, rows), goalsTable(goals)].join('\n\n'), goals }
}
