import type { ChildProcess } from 'node:child_process'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openBrowser } from './browser.js'
import { guideSteps } from './guide-steps.js'

const execute = promisify(execFile)

/** Ends commands that hang. Far above what a slow machine needs. */
const TIMEOUT_MS = 300_000

const PAGE_TIMEOUT_MS = 60_000

/** Follows a guide in an empty folder: saves its files, runs its commands, and compares their output. */
export class FollowedGuide {
  readonly folder = mkdtempSync(join(tmpdir(), 'guide-'))
  private readonly programs: ChildProcess[] = []
  private output = ''

  /**
   * @param page name of a file in `docs`
   * @param headings of the sections to follow
   * @throws if a command fails, or prints something else than the guide states
   */
  async follow(page: string, headings: readonly string[]): Promise<void> {
    for (const step of guideSteps(page, headings)) {
      if (step.kind === 'save') this.save(step.file, step.content)
      else if (step.kind === 'run') this.output = await this.run(step.commands)
      else if (step.kind === 'start') await this.start(step.commands)
      else if (step.kind === 'expect') expect(this.output).toBe(step.output)
      else await this.open(step.url, step.output)
    }
  }

  save(file: string, content: string): void {
    const path = join(this.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }

  /** Runs commands of a shell to their end, and returns their output. */
  async run(commands: string): Promise<string> {
    const script = withBuiltPackage(commands)
    const { stdout } = await execute('bash', ['-e', '-c', script], { ...this.settings, timeout: TIMEOUT_MS })
    return stdout
  }

  /** Ends all programs, and removes the folder. */
  async stop(): Promise<void> {
    for (const program of this.programs) {
      if (program.exitCode !== null) continue
      program.kill()
      await once(program, 'exit')
    }
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Opens a page in a browser, and waits until it shows the text. */
  private async open(url: string, text: string): Promise<void> {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ locale: 'en' })
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await page.goto(url)
      const shown = (): Promise<string> => page.innerText('body')
      await page
        .waitForFunction((wanted) => document.body.innerText.trim() === wanted, text.trim(), {
          timeout: PAGE_TIMEOUT_MS,
        })
        .catch(async () => {
          expect({ shown: await shown(), errors }).toEqual({ shown: text, errors: [] })
        })
    } finally {
      await browser.close()
    }
  }

  /** Starts a program, and waits for its first line. */
  private async start(commands: string): Promise<void> {
    const program = spawn('bash', ['-e', '-c', commands.replace(/^(?=.+\n$)/m, 'exec ')], this.settings)
    this.programs.push(program)
    let errors = ''
    program.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
    const ready = await Promise.race([
      once(program.stdout, 'data'),
      once(program, 'exit').then(() => undefined),
    ])
    if (ready === undefined) throw new Error(`'${commands}' ended: ${errors}`)
  }

  private get settings(): { cwd: string; env: NodeJS.ProcessEnv } {
    return { cwd: this.folder, env: userEnvironment() }
  }
}

let tarball: string | undefined

/** Installs the package of this repository instead of the released one. Nothing else of a guide is replaced. */
function withBuiltPackage(commands: string): string {
  return commands.replace(/^(npm install .*?)\bexpress-odata-v2(?=\s)/gm, (_all, before: string) => {
    tarball ??= packProduct()
    return `${before}${tarball}`
  })
}

function packProduct(): string {
  const folder = resolve('node_modules/.cache/guide-package')
  mkdirSync(folder, { recursive: true })
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' })) as { filename: string }[]
  return join(folder, packed?.filename ?? '')
}

/** Returns the environment without the settings of npm and Jest for this process. npm uses its cache first. */
function userEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:npm_(?!config_(?:cache|registry|userconfig)$)|NODE_|JEST_|FORCE_COLOR$|INIT_CWD$)/i
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name))),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
  }
}
