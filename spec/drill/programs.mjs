/** Starts programs on loopback addresses, and ends them all. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../support/sql/free-port.mjs'

const POLL_INTERVAL_MS = 20
const START_TIME_MS = 60_000

export const folder = mkdtempSync(join(tmpdir(), 'drill-'))
const running = new Set()

/** @param isExpected returns true if the program may end by itself */
export function start(command, words, options = {}) {
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'], ...options })
  running.add(child)
  child.log = ''
  child.stderr?.on('data', (chunk) => {
    child.log = (child.log + String(chunk)).slice(-4000)
  })
  child.once('error', (error) => {
    child.log = String(error)
    running.delete(child)
  })
  child.once('exit', () => running.delete(child))
  return child
}

export async function kill(child, signal = 'SIGKILL') {
  if (!running.has(child)) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** Ends a program that runs until its standard input ends; kills it if that takes too long. */
export async function endInput(child) {
  if (!running.has(child)) return
  const exit = once(child, 'exit')
  child.stdin.end()
  await Promise.race([exit, delay(10_000, undefined, { ref: false })])
  await kill(child)
}

export async function endAll() {
  for (const child of [...running]) await (child.stdin ? endInput(child) : kill(child))
  rmSync(folder, { recursive: true, force: true })
}

export async function until(condition, what, program) {
  const end = performance.now() + START_TIME_MS
  while (!(await condition())) {
    if (performance.now() > end || (program !== undefined && !running.has(program)))
      throw new Error(`${what} did not happen. ${program?.log ?? ''}`)
    await delay(POLL_INTERVAL_MS)
  }
}

/** The first line that a program prints, as JSON. */
export async function firstLine(child) {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`A program ended: ${child.log}`)
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  return JSON.parse(String(line))
}

/** The ids of a process and of the processes that it has started. */
export function familyOf(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), statOf(name)?.[1]])
  return [pid, ...parents.filter(([, parent]) => Number(parent) === pid).map(([child]) => child)]
}

/** Milliseconds of CPU time of a process. */
export function cpuOf(pid) {
  const fields = statOf(pid)
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) * 10
}

/** The fields of `/proc/<pid>/stat` after the name of the program, which may contain spaces. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** A process of the service, which keeps its port when it is restarted. */
export class Service {
  constructor(port, env) {
    this.port = port
    this.env = env
    this.unexpectedExits = 0
  }

  async start() {
    const file = fileURLToPath(new URL('service.mjs', import.meta.url))
    this.isEnding = false
    const child = start(process.execPath, [file], {
      env: { ...process.env, ...this.env, PORT: String(this.port) },
    })
    this.child = child
    child.once('exit', (code) => {
      if (this.isEnding) return
      this.unexpectedExits++
      console.error(`A process of the service ended with ${code}: ${child.log}`)
    })
    await until(() => isReady(this.port), 'The start of the service', child)
  }

  kill() {
    this.isEnding = true
    return kill(this.child)
  }

  /** Ends the process as an operator does. */
  end() {
    this.isEnding = true
    return kill(this.child, 'SIGTERM')
  }

  get cpu() {
    return cpuOf(this.child.pid)
  }
}

async function isReady(port) {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
  return response?.status === 200
}

/** Redis, which can be made to refuse writes as if its memory were full. */
export async function startRedis() {
  const port = await findFreePort()
  const child = start('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    folder,
  ])
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: `redis://127.0.0.1:${port}` })
  client.on('error', () => undefined)
  await client.connect()
  const numberIn = async (section, name) => {
    const text = await client.sendCommand(['INFO', section])
    return Number(new RegExp(`${name}[:=](?:count=)?(\\d+)`).exec(text)?.[1] ?? 0)
  }
  return {
    port,
    setFull: (isFull) => client.sendCommand(['CONFIG', 'SET', 'maxmemory', isFull ? '1' : '0']),
    counts: async () => ({
      hits: await numberIn('stats', 'keyspace_hits'),
      misses: await numberIn('stats', 'keyspace_misses'),
      refused: await numberIn('errorstats', 'errorstat_OOM'),
    }),
    async stop() {
      client.destroy()
      await kill(child)
    },
  }
}

/** HAProxy with the configuration of the guide, in front of the processes and of the databases. */
export async function startProxy(services, databases) {
  const [port, statistics] = [await findFreePort(), await findFreePort()]
  const guide = readFileSync(new URL('../../docs/several-processes.md', import.meta.url), 'utf8')
  const block = /```haproxy\n([^]*?)```/.exec(guide)[1]
  const servers = services
    .map((service, index) => `  server shop${index} 127.0.0.1:${service.port}\n`)
    .join('')
  const text = [
    'defaults\n  mode http\n  timeout connect 10s\n  timeout client 60s\n  timeout server 60s',
    block.replace(':8080', `127.0.0.1:${port}`).replace(/(?: +server .*\n)+/, servers),
    `listen statistics\n  bind 127.0.0.1:${statistics}\n  stats enable\n  stats uri /`,
    `listen database\n  bind 127.0.0.1:${databases.port}\n  mode tcp\n  timeout client 1h\n  timeout server 1h\n  balance leastconn`,
    '  option redispatch 1\n  retries 3\n  default-server check inter 200ms fall 1 rise 1 on-marked-down shutdown-sessions',
    ...databases.servers.map((server, index) => `  server database${index} ${server}`),
  ].join('\n')
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, `${text}\n`)
  const child = start('haproxy', ['-db', '-f', file])
  const isUp = (names) => async () => {
    const response = await fetch(`http://127.0.0.1:${statistics}/;csv`).catch(() => undefined)
    const lines = (await response?.text()) ?? ''
    return names.every((name) => new RegExp(`^\\w+,${name},.*,UP,`, 'm').test(lines))
  }
  const names = services.map((_, index) => `shop${index}`)
  return {
    port,
    untilDatabases: () =>
      until(isUp(databases.servers.map((_, index) => `database${index}`)), 'The database', child),
    untilUp: () => until(isUp(names), 'The check of the services', child),
    stop: () => kill(child),
  }
}
