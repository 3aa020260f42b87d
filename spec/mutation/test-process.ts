import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import type { WorkerResponse, Order } from './worker-messages.js'

/** A process that runs specs: it can be killed when a spec hangs, and isolates the side effects of mutants. */
export class TestProcess {
  private readonly child: ChildProcess
  private readonly exited: Promise<unknown>
  private reported = ''

  /** @param folder the working directory, so that files written by mutants end up there */
  constructor(script: string, folder: string) {
    this.child = fork(script, {
      cwd: folder,
      execArgv: ['--max-old-space-size=1500', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.exited = new Promise((resolve) => this.child.once('exit', resolve))
    // Messages to a crashed process get no response.
    this.child.on('error', () => undefined)
    this.child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.reported = (this.reported + chunk.toString()).slice(-2000)),
    )
  }

  /** @returns undefined when the process crashed or did not respond within the timeout, in milliseconds */
  async send<Kind extends WorkerResponse['kind']>(
    kind: Kind,
    order: Order,
    patience: number,
  ): Promise<Extract<WorkerResponse, { kind: Kind }> | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), patience)))
    const response = new Promise<WorkerResponse>((resolve) => this.child.once('message', resolve))
    this.child.send(order)
    const first = await Promise.race([response, late, this.exited.then(() => undefined)])
    clearTimeout(timer)
    return first?.kind === kind ? (first as Extract<WorkerResponse, { kind: Kind }>) : undefined
  }

  /** The end of the standard error of the process. */
  get complaint(): string {
    return this.reported
  }

  async end(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }
}
