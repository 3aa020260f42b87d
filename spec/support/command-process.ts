import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const project = resolve(__dirname, '../..')

/** The published program: bundled modules, with the packages that it needs. */
export class BuiltProgram {
  private readonly folder = mkdtempSync(join(tmpdir(), 'program-'))
  private readonly script = join(this.folder, 'dist/esm/command-line/main.js')

  /** To be called before all: makes the program of the sources as they are. */
  constructor() {
    const esbuild = join(project, 'node_modules/.bin/esbuild')
    execFileSync(
      esbuild,
      [
        join(project, 'lib/tools/command-line/main.ts'),
        ...['--bundle', '--splitting', '--platform=node', '--format=esm', '--target=node20'],
        ...['--packages=external', '--log-level=error', '--chunk-names=../shared/[hash]'],
        `--outdir=${join(this.folder, 'dist/esm/command-line')}`,
      ],
      { cwd: project },
    )
    copyFileSync(join(project, 'package.json'), join(this.folder, 'package.json'))
    symlinkSync(join(project, 'node_modules'), join(this.folder, 'node_modules'))
  }

  /** To be called after all. */
  remove(): void {
    rmSync(this.folder, { recursive: true })
  }

  /** Starts it, with pipes for everything that it reads and writes. */
  start(words: readonly string[], environment: Readonly<Record<string, string>> = {}): ProgramProcess {
    const { npm_execpath: _npm, ...inherited } = process.env
    const env = { ...inherited, ...environment }
    return new ProgramProcess(spawn(process.execPath, [this.script, ...words], { env, cwd: this.folder }))
  }

  /** Runs it to its end. */
  async run(words: readonly string[], input = ''): Promise<Ended> {
    const running = this.start(words)
    running.child.stdin?.end(input)
    return running.ended
  }

  /** The command line with which a shell runs the program. */
  get shellCommand(): string {
    return `'${process.execPath}' '${this.script}'`
  }
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export class ProgramProcess {
  readonly ended: Promise<Ended>
  private stdout = ''
  private stderr = ''

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.ended = once(child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.stdout,
      stderr: this.stderr,
    }))
  }

  /** Comes to its end when something has been printed. */
  async printed(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.stdout)) {
      if (this.child.stdout === null) throw new Error('Nothing is piped.')
      await Promise.race([once(this.child.stdout, 'data'), this.ended])
      if (this.child.exitCode !== null && !pattern.test(this.stdout)) throw new Error(this.stderr)
    }
    return this.stdout
  }
}
