import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'file-service-script-'))
const script = join(folder, 'service.cjs')

/** Makes the script that the processes run, from the sources as they are. To be called before all. */
export function bundleFileService(): void {
  const source = join(__dirname, 'file-service-script.ts')
  const esbuild = join(__dirname, '../../node_modules/.bin/esbuild')
  const options = ['--bundle', '--platform=node', '--format=cjs', '--log-level=error', `--outfile=${script}`]
  execFileSync(esbuild, [source, ...options])
}

/** To be called after all. */
export function removeFileService(): void {
  rmSync(folder, { recursive: true })
}

/** A writable file service in a process of its own. */
export class FileServiceProcess {
  private readonly exited: Promise<unknown>
  private reported = ''

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    this.exited = once(child, 'exit')
    child.stderr?.on('data', (chunk: Buffer) => (this.reported += chunk.toString()))
  }

  /** @param blocks how large files can become, in blocks of 512 bytes; as on a disk that is full, more fails */
  static async start(root: string, blocks?: number): Promise<FileServiceProcess> {
    const limit = blocks === undefined ? '' : `ulimit -f ${blocks}; `
    const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, script, root], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [port] = (await once(child.stdout, 'data')) as [Buffer]
    return new FileServiceProcess(child, Number(port.toString()))
  }

  /** Codes of the operating system errors passed to `onError`. */
  get failures(): string[] {
    return this.reported.split('\n').filter((line) => line !== '')
  }

  /** Kills the process without any cleanup. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exited
  }
}
