/**
 * Measures servers against each other: each in a process of its own, all in one run, taking turns, so that what else
 * happens on the machine happens to all of them. What is compared is the processor time that a server needs for a
 * request; read the ratios, not the times.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'

const rounds = 7

/** Starts a module that listens on a free port, and reports that and its processor time when it is asked. */
async function startServer(file, variant) {
  const child = fork(file, [variant], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [{ port }] = await once(child, 'message')
  return {
    port,
    async cpu() {
      child.send('cpu')
      const [{ cpu }] = await once(child, 'message')
      return cpu
    },
    stop: () => child.kill(),
  }
}

/** To be called in a server's module. */
export function serve(app) {
  const server = app.listen(0, () => process.send({ port: server.address().port }))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system })
  })
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 })

export function fetchBytes(port, path, headers = {}) {
  return new Promise((resolve, reject) => {
    get({ port, path, headers, agent }, (response) => {
      let bytes = 0
      response.on('data', (chunk) => {
        bytes += chunk.length
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${path}: ${response.statusCode}`))
      })
      response.on('error', reject)
    }).on('error', reject)
  })
}

async function load(port, path, requests) {
  let left = requests
  const worker = async () => {
    while (left-- > 0) await fetchBytes(port, path)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

/** @returns microseconds of processor time for a request of each variant, the best of several rounds */
export async function compare(file, variants, requests) {
  const servers = []
  for (const { name, path } of variants)
    servers.push({ name, path, ...(await startServer(file, name)), best: Infinity })
  for (const { port, path } of servers) await load(port, path, requests)
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      const before = await server.cpu()
      await load(server.port, server.path, requests)
      server.best = Math.min(server.best, ((await server.cpu()) - before) / requests)
    }
  }
  const results = []
  for (const { name, path, port, best, stop } of servers) {
    results.push({ name, microseconds: Math.round(best), bytes: await fetchBytes(port, path) })
    stop()
  }
  return results
}

/** Prints times and how many times less than the first each variant needs. */
export function print(title, results) {
  console.log(`\n${title}`)
  for (const { name, microseconds, bytes } of results) {
    const ratio = (results[0].microseconds / microseconds).toFixed(2)
    console.log(`  ${name.padEnd(44)} ${String(microseconds).padStart(7)} us  x${ratio}  ${bytes} bytes`)
  }
}
