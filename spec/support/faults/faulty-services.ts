import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const root = join(__dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'service-process-'))
const bundled = new Set<string>()

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** A script of this folder, as a process that prints the port that it listens on. */
export class ServiceProcess {
  /** Standard error of the process: explains why it ended. */
  told = ''
  private readonly exited: Promise<unknown>

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    this.exited = once(child, 'exit')
    child.stderr?.on('data', (chunk: Buffer) => (this.told += chunk.toString()))
  }

  /**
   * @param name of the script, without its ending
   * @param before what the shell does before, such as `ulimit -n 40`
   */
  static async start(
    name: string,
    parameters: readonly string[] = [],
    before = 'true',
  ): Promise<ServiceProcess> {
    const child = spawn(
      'sh',
      ['-c', `${before}; exec "$0" "$@"`, process.execPath, bundle(name), ...parameters],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_PATH: join(root, 'node_modules') } },
    )
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return new ServiceProcess(child, Number(port.toString()))
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** How many files, sockets and pipes it holds. */
  get handles(): number {
    return readdirSync(this.handleDirectory).length
  }

  /** The targets of its handles: paths of files, and such as `socket:[4711]`. */
  get handleTargets(): string[] {
    return readdirSync(this.handleDirectory).flatMap((handle) => {
      try {
        return [readlinkSync(join(this.handleDirectory, handle))]
      } catch {
        // It has been closed meanwhile.
        return []
      }
    })
  }

  private get handleDirectory(): string {
    return `/proc/${String(this.child.pid)}/fd`
  }

  async stop(): Promise<void> {
    if (this.isAlive) this.child.kill('SIGKILL')
    await this.exited
  }
}

/** Once, from the sources as they are. */
function bundle(name: string): string {
  const script = join(folder, `${basename(name)}.cjs`)
  if (bundled.has(name)) return script
  bundled.add(name)
  const external = ['better-sqlite3', 'pg', 'pg-native', 'mysql2', '@duckdb/node-api'].map(
    (one) => `--external:${one}`,
  )
  const options = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error', `--outfile=${script}`]
  const source = join(__dirname, `${name}.ts`)
  execFileSync(join(root, 'node_modules/.bin/esbuild'), [source, ...external, ...options])
  return script
}
