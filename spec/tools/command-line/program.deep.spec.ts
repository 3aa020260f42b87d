import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import { BuiltProgram } from '../../support/command-process.js'

const directory = mkdtempSync(join(tmpdir(), 'program-files-'))
const at = (name: string): string => join(directory, name)
let program: BuiltProgram

beforeAll(() => {
  program = new BuiltProgram()
  mkdirSync(at('files'))
  writeFileSync(at('files/hello.txt'), 'Hello')
  writeFileSync(at('model.edmx'), writeEdmx(northwindModel))
  writeFileSync(at('less.edmx'), writeEdmx(northwindModel).replace(/<Property Name="ProductName"[^>]*>/, ''))
})

afterAll(() => {
  program.remove()
  rmSync(directory, { recursive: true })
})

describe('The program', () => {
  it('MUST print its help and its version on standard output, and end with 0', async () => {
    const help = await program.run(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/^Usage: express-odata-v2 <command> \.\.\.\n/)
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
      version: string
    }
    expect(await program.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('MUST print errors on standard error only, and exit with 2', async () => {
    const ended = await program.run(['improt', 'model.edmx'])
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: "There is no command, file or directory 'improt'. Did you mean 'import'?\n",
    })
    expect(await program.run([])).toMatchObject({ code: 2, stdout: '' })
  })

  it('MUST print results to standard output without colors when it is not a terminal', async () => {
    const { code, stdout, stderr } = await program.run(['diff', at('model.edmx'), at('less.edmx')])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Breaking changes \(1\)\n {2}- Property \S+Product\/ProductName: removed\./)
    expect(stdout + stderr).not.toContain('\u001b')
  })

  it('MUST read standard input', async () => {
    const { code, stdout } = await program.run(['types', '-'], writeEdmx(northwindModel))
    expect(code).toBe(0)
    expect(stdout).toContain('export interface Product {')
  })

  it('MUST be content when its reader has read enough', () => {
    const shell = `${program.shellCommand} docs '${at('model.edmx')}' 2>&1 | head -1`
    expect(execFileSync('sh', ['-c', shell]).toString()).toMatch(/^# .*\n$/)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('MUST end a service cleanly, with 0, on %s', async (signal) => {
    const service = program.start(['serve', at('files'), '--port', '0'])
    const root = /: (http:\S+)/.exec(await service.printed(/For example/))?.[1] ?? ''
    expect((await fetch(`${root}Files`)).status).toBe(200)
    service.child.kill(signal)
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('MUST end when npm, which has started it over a shell, has ended', async () => {
    // npm starts the shell; a signal ends the shell but not the program.
    const words = `serve '${at('files')}' --port 0`
    const { spawn } = await import('node:child_process')
    const shell = spawn('sh', ['-c', `${program.shellCommand} ${words}; true`], {
      env: { ...process.env, npm_execpath: 'npm' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let printed = ''
    await new Promise<void>((resolve) => {
      shell.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        if (printed.includes('For example')) resolve()
      })
    })
    const closed = new Promise((resolve) => shell.stdout.once('close', resolve))
    shell.kill('SIGTERM')
    await closed
    const root = /: (http:\S+)/.exec(printed)?.[1] ?? ''
    expect(await fetch(root).catch(() => 'closed')).toBe('closed')
  })
})
