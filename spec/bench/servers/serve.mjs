/**
 * Runs a server of the benchmarks: it listens on a free port of this machine, and reports it to the process that
 * started it what it has used so far.
 */
import { createServer } from 'node:http'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'

/** The task of the server, from the suite. */
export const settings = JSON.parse(process.argv[2])

const reports = {
  usage() {
    const { user, system } = process.cpuUsage()
    return { cpu: user + system, gc: collecting * 1000, peak: process.resourceUsage().maxRSS * 1024 }
  },
  // The timer that measures turns, one of a millisecond, has to run once before and once after them.
  async watchTurns() {
    turns = monitorEventLoopDelay({ resolution: 1 })
    turns.enable()
    await setTimeout(5)
  },
  async longestTurn() {
    await setTimeout(5)
    turns.disable()
    return Math.max(0, turns.max / 1e6 - 1)
  },
  watchMemory() {
    highest = process.memoryUsage.rss()
    watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss())
    }, 10)
    return highest
  },
  memory() {
    clearInterval(watch)
    return highest
  },
  /** Lets the other service of the host `paired` respond. */
  switch() {
    switched = !switched
  },
}

let switched = false
export const isSwitched = () => switched

let turns
let highest = 0
let watch
/** Milliseconds of garbage collection. */
let collecting = 0

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collecting += duration
}).observe({ entryTypes: ['gc'] })

/** @param handler an Express application, a function for node:http, or a server */
export function serve(handler) {
  const server = typeof handler.listen === 'function' ? handler : createServer(handler)
  const listening = server.listen(0, '127.0.0.1', () => process.send({ port: listening.address().port }))
  // Longer than a server waits for its turn.
  listening.keepAliveTimeout = 600_000
  process.on('message', async (wanted) => process.send({ response: (await reports[wanted]()) ?? null }))
  process.on('disconnect', () => process.exit())
  return listening
}

/**
 * The package under test, in the folder that the settings name. With `v8`, it takes that for the version of V8, which
 * decides whether the hidden classes of requests are restored.
 */
export async function library() {
  if (settings.v8 !== undefined) {
    Object.defineProperty(process, 'versions', { value: { ...process.versions, v8: settings.v8 } })
  }
  const part = (name) => import(pathToFileURL(`${settings.package}/esm/${name}.js`).href)
  return { ...(await part('index')), ...(await part('sql')) }
}
