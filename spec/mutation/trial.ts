import { TestProcess } from './test-process.js'
import type { Coverage } from './worker-messages.js'

/** The result of testing a mutant. */
type Outcome = 'killed' | 'survived' | 'unmet'

/** Side effects of mutants make a process slower, so it is replaced after this number. */
const MAX_PER_PROCESS = 150

/** Tests mutants against some specs, one after the other. */
export class Trial {
  private process: TestProcess | undefined
  /** The number of processes started: large when specs affect each other. */
  processes = 0
  private used = 0
  private coverage: Coverage = { times: [], tests: {}, atStart: [] }
  private readonly unsteady: number[] = []

  constructor(
    private readonly script: string,
    private readonly folder: string,
    private readonly specs: readonly string[],
  ) {}

  /** Runs all specs without a mutant. @returns those that fail */
  async prepare(): Promise<readonly string[]> {
    const process = await this.start()
    const response = await process.send('covered', { kind: 'cover' }, 600_000)
    if (response === undefined) throw new Error(`The specs do not run: ${process.complaint}`)
    this.coverage = response.coverage
    return response.failed
  }

  async outcome(mutant: number): Promise<Outcome> {
    const isAtStart = this.coverage.atStart.includes(mutant)
    if (this.coverage.tests[mutant] !== undefined) {
      const response = await this.tried(mutant)
      if (response === undefined || response.killer !== undefined) return 'killed'
      if (response.wasMet && !isAtStart) return 'survived'
    } else if (!isAtStart) return 'unmet'
    // Values created while the files are loaded require the mutant to be active by then.
    const response = await this.tried(mutant, true)
    return response === undefined || response.killer !== undefined ? 'killed' : 'survived'
  }

  async end(): Promise<void> {
    await this.process?.end()
    this.process = undefined
  }

  /** Returns the timeout of all specs that reach a mutant, in milliseconds. */
  private patience(mutant: number): number {
    const tests = this.coverage.tests[mutant] ?? this.coverage.times.keys()
    let sum = 0
    for (const index of tests) sum += this.coverage.times[index] ?? 0
    return 15_000 + 5 * sum
  }

  private async tried(mutant: number, atStart = false) {
    for (let attempt = 0; ; attempt++) {
      if (++this.used > MAX_PER_PROCESS) await this.end()
      const process = this.process ?? (await this.start())
      const order = { kind: 'try', mutant, atStart, without: this.unsteady } as const
      const response = await process.send('tried', order, this.patience(atStart ? -1 : mutant))
      if (response === undefined || response.spoilt) await this.end()
      if (response?.doubtful === undefined) return response
      if (attempt > 0 && (await this.passesAlone(response.doubtful))) return response
    }
  }

  /** Runs a spec in a process of its own. A spec that fails is not run again. */
  private async passesAlone(only: number): Promise<boolean> {
    const process = await this.start()
    const order = { kind: 'try', mutant: -1, atStart: true, without: [], only } as const
    const response = await process.send('tried', order, this.patience(-1))
    await this.end()
    if (response !== undefined && response.killer === undefined) return true
    this.unsteady.push(only)
    return false
  }

  private async start(): Promise<TestProcess> {
    const { script, folder, specs, coverage } = this
    const process = new TestProcess(script, folder)
    this.processes++
    this.used = 0
    const ready = await process.send('ready', { kind: 'read', folder, specs, coverage }, 120_000)
    if (ready === undefined) throw new Error(`The specs cannot be read: ${process.complaint}`)
    this.process = process
    return process
  }
}
