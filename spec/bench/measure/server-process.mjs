/** Servers in processes of their own, on a core of their own. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Connection, requestText } from './client.mjs'
import { databaseCpu, processCpu } from './database-cpu.mjs'

/** Keeps a process on one core. @returns whether that can be done here */
export function pin(pid, core) {
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const serverCore = 0
export const clientCore = Math.min(1, availableParallelism() - 1)

/** In how many parts a load is sent, and how many times longer than planned it may take. */
const slices = 4
const patience = 3
/** How often turns of the event loop are watched. */
const series = 3

export class ServerProcess {
  /** @param flags of Node.js */
  static async start(file, settings, flags = []) {
    const path = fileURLToPath(new URL(`../servers/${file}.mjs`, import.meta.url))
    const child = fork(path, [JSON.stringify(settings)], {
      execArgv: flags,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    pin(child.pid, serverCore)
    const started = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (started[0]?.port === undefined) throw new Error(`The server ${file} did not start.`)
    return new ServerProcess(child, started[0].port, settings)
  }

  /** @param settings name the server of the database, whose CPU time is measured */
  constructor(child, port, { postgresFolder, databaseProcess }) {
    this.child = child
    this.port = port
    this.databaseCpu = () =>
      databaseProcess === undefined ? databaseCpu(postgresFolder) : processCpu(databaseProcess)
    child.on('message', ({ response }) => this.responded(response))
    child.once('exit', () => this.ended?.(new Error('A server ended.')))
  }

  /** Asks for one of the reports of `serve.mjs`, one after another. */
  send(report) {
    return new Promise((resolve, reject) => {
      this.responded = resolve
      this.ended = reject
      this.child.send(report)
    })
  }

  connect(count) {
    this.connections = Array.from({ length: count }, () => new Connection(this.port))
  }

  /**
   * Sends requests over all connections until the server has worked for a while. Where it has its core for itself
   * that is as long as it takes; where it has not, it takes longer, up to some times as long.
   *
   * @param next makes the next request
   * @returns microseconds of CPU time for a request, of the server, of its garbage collector and of the database, and
   * requests per second
   */
  async load(next, milliseconds, status) {
    const before = await this.send('usage')
    const databaseBefore = this.databaseCpu()
    const begin = performance.now()
    let count = 0
    let now
    do {
      count += await this.sendFor(next, milliseconds / slices, status)
      now = await this.send('usage')
    } while (
      now.cpu - before.cpu < milliseconds * 1000 &&
      performance.now() - begin < milliseconds * patience
    )
    const seconds = (performance.now() - begin) / 1000
    const database = databaseBefore === undefined ? undefined : (this.databaseCpu() - databaseBefore) / count
    const used = (name) => (now[name] - before[name]) / count
    return { cpu: used('cpu'), gc: used('gc'), database, throughput: count / seconds, peak: now.peak }
  }

  /** Microseconds of CPU time for each of the first requests: a count, or as many as some time allows. */
  async loadFirst(next, most, milliseconds, status) {
    const before = await this.send('usage')
    let left = most
    const sent = await this.sendFor(next, milliseconds, status, () => --left > 0)
    return ((await this.send('usage')).cpu - before.cpu) / sent
  }

  /** @returns the number of responses */
  async sendFor(next, milliseconds, status, goesOn = () => true) {
    const begin = performance.now()
    let count = 0
    const work = async (connection) => {
      do {
        const request = next()
        const response = await connection.send(requestText(request))
        if (response.status !== status) throw new Error(`${request.path} returned ${response.status}`)
        count++
      } while (goesOn() && performance.now() - begin < milliseconds)
    }
    await Promise.all(this.connections.map(work))
    return count
  }

  /**
   * The longest time in milliseconds that work blocked the event loop. Other load can make a turn longer, but
   * never shorter: so the best of some series counts.
   */
  async longestTurn(work) {
    const longest = []
    for (let one = 0; one < series; one++) {
      await this.send('watchTurns')
      await work()
      longest.push(await this.send('longestTurn'))
    }
    return Math.min(...longest)
  }

  stop() {
    for (const connection of this.connections ?? []) connection.close()
    this.ended = undefined
    // It ends by itself then, and writes its profile.
    this.child.disconnect()
  }
}
