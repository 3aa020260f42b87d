import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { transformSync } from '@swc/core'
import SQLite from 'better-sqlite3'
import { parse } from 'yaml'
import { until } from '../support/until.js'
import { freePort } from './support/proxies.js'

const guide = readFileSync('docs/several-processes.md', 'utf8')

/** The first block of a language in the guide. */
function blockOf(language: string): string {
  const block = new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(guide)?.[1]
  if (block === undefined) throw new Error(`The guide has no block of ${language}.`)
  return block
}

const directory = mkdtempSync(join(tmpdir(), 'restart-'))
/** Below the package, so that the server imports it by its name. */
const programs = join('dist', `rolling-restart-${String(process.pid)}`)
afterAll(() => {
  rmSync(directory, { recursive: true })
  rmSync(programs, { recursive: true, force: true })
})

/** Runs a checker of configurations. @returns its output if it fails */
function check(command: string, ...words: string[]): string {
  const { error, status, stderr, stdout } = spawnSync(command, words, { encoding: 'utf8' })
  return error === undefined && status === 0 ? '' : `${String(status)} ${stdout}${stderr}`
}

const isInstalled = (command: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const itIf = (command: string) => (isInstalled(command) ? it : it.skip)

const defaults = 'defaults\n  mode http\n  timeout connect 10s\n  timeout client 60s\n  timeout server 60s\n'

describe('The files of the guide', () => {
  const write = (name: string, text: string): string => {
    const file = join(directory, name)
    writeFileSync(file, text)
    return file
  }

  itIf('haproxy')('MUST be a valid configuration of HAProxy', () => {
    expect(check('haproxy', '-c', '-f', write('haproxy.cfg', defaults + blockOf('haproxy')))).toBe('')
  })

  itIf('nginx')('MUST be a valid configuration of nginx', () => {
    const head = `pid ${directory}/pid;\nerror_log ${directory}/log;\nevents {}\nhttp {\naccess_log off;\n`
    const file = write('nginx.conf', `${head}${blockOf('nginx')}}\n`)
    expect(check('nginx', '-t', '-c', file)).toBe('')
  })

  itIf('systemd-analyze')('MUST be a valid unit of systemd', () => {
    // The paths of the guide do not exist here.
    const unit = blockOf('systemd').replace('/usr/bin/node', process.execPath)
    expect(check('systemd-analyze', 'verify', '--man=no', write('shop@4004.service', unit))).toBe('')
  })

  it('MUST probe the paths of the service in Kubernetes, and leave time to drain', () => {
    interface Manifest {
      readonly spec: {
        readonly template: {
          readonly spec: {
            readonly terminationGracePeriodSeconds: number
            readonly containers: readonly Record<string, { readonly httpGet: { readonly path: string } }>[]
          }
        }
      }
    }
    const { spec } = (parse(blockOf('yaml')) as Manifest).spec.template
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(25)
    const [container] = spec.containers
    const paths = ['readinessProbe', 'livenessProbe'].map((name) => container?.[name]?.httpGet.path)
    expect(paths).toEqual(['/health/ready', '/health/live'])
  })

  it('MUST start Node.js as the first process in Docker', () => {
    expect(blockOf('dockerfile')).toMatch(/^CMD \["node", "server\.js"\]$/m)
  })
})

/** A process that runs the server of the guide. */
class ShopProcess {
  private process: ChildProcess | undefined

  constructor(readonly port: number) {}

  async start(): Promise<void> {
    const { code } = transformSync(blockOf('ts'), {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
      module: { type: 'es6' },
    })
    mkdirSync(programs, { recursive: true })
    const file = join(programs, 'server.mjs')
    writeFileSync(file, code)
    const env = {
      ...process.env,
      CSRF_SECRET: 'the secret of all processes',
      DATABASE_URL: join(directory, 'shop.sqlite'),
      DRAIN_MS: '3000',
      PORT: String(this.port),
    }
    const started = spawn(process.execPath, [file], { env, stdio: ['ignore', 'inherit', 'inherit'] })
    this.process = started
    await until(async () => {
      if (started.exitCode !== null) throw new Error('The server does not start.')
      const response = await fetch(`http://127.0.0.1:${String(this.port)}/health/ready`).catch(
        () => undefined,
      )
      return response?.status === 200
    })
  }

  /** @returns the exit code */
  async stop(): Promise<number | null> {
    const { process } = this
    if (process === undefined || process.exitCode !== null) return null
    const exit = once(process, 'exit') as Promise<[number | null]>
    process.kill('SIGTERM')
    return (await exit)[0]
  }
}

const describeIfInstalled = isInstalled('haproxy') ? describe : describe.skip

describeIfInstalled('The server of the guide behind HAProxy', () => {
  let shops: ShopProcess[]
  let haproxy: ChildProcess
  let port: number
  let statistics: number

  beforeAll(async () => {
    const database = new SQLite(join(directory, 'shop.sqlite'))
    database.exec('create table products (id integer primary key, name text not null)')
    database.exec("insert into products values (1, 'Gouda')")
    database.close()
    shops = [new ShopProcess(await freePort()), new ShopProcess(await freePort())]
    for (const shop of shops) await shop.start()
    port = await freePort()
    statistics = await freePort()
    const [one, two] = shops.map((shop) => String(shop.port))
    const block = blockOf('haproxy')
      .replace(':8080', `127.0.0.1:${String(port)}`)
      .replace(':4004', `:${one ?? ''}`)
      .replace(':4005', `:${two ?? ''}`)
    const stats = `\nlisten statistics\n  bind 127.0.0.1:${String(statistics)}\n  stats enable\n  stats uri /\n`
    const file = join(directory, 'rolling.cfg')
    writeFileSync(file, `${defaults}${block}${stats}`)
    haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    await untilUp()
  })
  afterAll(async () => {
    haproxy.kill()
    for (const shop of shops) await shop.stop()
  })

  /** Waits until the proxy sends requests to both processes. */
  const untilUp = (): Promise<void> =>
    until(async () => {
      const response = await fetch(`http://127.0.0.1:${String(statistics)}/;csv`).catch(() => undefined)
      const text = (await response?.text()) ?? ''
      return ['one', 'two'].every((name) => new RegExp(`^shop,${name},.*,UP,`, 'm').test(text))
    })

  const agent = new Agent({ keepAlive: true })
  const get = async (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const outgoing = request({ port, path, agent, headers }).end()
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response
  }

  it('MUST be restarted process by process without a failed read', async () => {
    let isRestarting = true
    const statuses = new Map<unknown, number>()
    const read = async (): Promise<void> => {
      while (isRestarting) {
        const outcome = await get('/shop/Products(1)').then(
          ({ statusCode }) => statusCode,
          (error: unknown) => String(error),
        )
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
      }
    }
    const readers = [read(), read(), read(), read()]
    for (const shop of shops) {
      expect(await shop.stop()).toBe(0)
      await shop.start()
      await untilUp()
    }
    isRestarting = false
    await Promise.all(readers)
    expect([...statuses.keys()]).toEqual([200])
  })

  it('MUST have an id for each request, which the proxy has chosen', async () => {
    const { headers } = await get('/shop/Products(1)', { 'x-request-id': 'chosen' })
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })
})
