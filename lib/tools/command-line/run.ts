import { existsSync } from 'node:fs'
import { didYouMean } from '../../errors/suggestions.js'
import type { CommandIo, Command } from './command.js'
import { reasonOf, SourceError, UsageError } from './faults.js'
import type { OptionTable } from './option-table.js'
import { readFile } from 'node:fs/promises'

/** Without the word of a command, this is what is done. */
const commandByDefault = 'serve'

/** What shells expect of a program that was told to end. */
const interrupted = 130

/**
 * Does what the words of a command line say.
 *
 * @returns the exit code: 0 when all is well, 1 when the command has found something wanting, 2 when the words mean
 * nothing, or what they name cannot be used
 */
export async function run(words: readonly string[], io: CommandIo): Promise<number> {
  const [first, ...others] = words
  if (first === '--version') return printed(await versionOfPackage(), io)
  if (first === undefined || isHelp(first)) return programHelpFor(first, io)
  if (first === 'help') return helpFor(others, io)
  if (rowOf(first) !== undefined) return runCommand(first, others, io)
  const hint = misspelt(first)
  if (hint === '') return runCommand(commandByDefault, words, io)
  io.complain(`There is no command '${first}', nor a file or directory.${hint}`)
  return 2
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function rowOf(name: string): CommandRow | undefined {
  return Object.hasOwn(commandTable, name) ? commandTable[name] : undefined
}

/** A word that is nearly a command, and nothing that could be served. */
function misspelt(word: string): string {
  return /^[a-z]+$/.test(word) && !existsSync(word) ? didYouMean(word, Object.keys(commandTable)) : ''
}

function printed(text: string, { print }: CommandIo): 0 {
  print(text)
  return 0
}

/** Who calls the program with nothing at all does not know what it does, but has not got anything done either. */
function programHelpFor(first: string | undefined, io: CommandIo): number {
  if (first !== undefined) return printed(programHelp(commandTable), io)
  io.complain(programHelp(commandTable))
  return 2
}

async function helpFor([name]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name.startsWith('-')) return printed(programHelp(commandTable), io)
  const row = rowOf(name)
  if (row !== undefined) return printed(commandHelp(name, await row.load()), io)
  io.complain(`There is no command '${name}'.${didYouMean(name, Object.keys(commandTable))}`)
  return 2
}

async function runCommand(name: string, words: readonly string[], io: CommandIo): Promise<number> {
  const row = rowOf(name)
  if (row === undefined) throw new Error(`There is no command '${name}'.`)
  const command = await row.load()
  const end = words.indexOf('--')
  if (words.slice(0, end < 0 ? words.length : end).some(isHelp))
    return printed(commandHelp(name, command), io)
  try {
    return await command.run(words, io)
  } catch (error) {
    if (io.signal.aborted) return interrupted
    const { complain, complaintStyle: style } = io
    if (error instanceof UsageError) {
      complain(
        `${style.red(error.message)}\n\n${usageLine(name, command)}\n${program} ${name} --help tells more.`,
      )
    } else complain(style.red(textOf(error)))
    return 2
  }
}

/** Of what nobody has foreseen, the place helps to find out more. */
function textOf(error: unknown): string {
  const isForeseen = error instanceof SourceError || !(error instanceof Error)
  return isForeseen ? reasonOf(error) : (error.stack ?? error.message)
}

const program = 'express-odata-v2'

const helpRow = { help: { type: 'boolean', short: 'h', text: 'print this' } } as const satisfies OptionTable

/** What `express-odata-v2 --help` prints. */
function programHelp(table: Readonly<Record<string, CommandRow>>): string {
  const rows = Object.entries(table).map(([name, { summary }]) => [name, summary] as const)
  return [
    `Usage: ${program} <command> ...`,
    `       ${program} <source> [options]     the same as ${program} serve <source> [options]`,
    '',
    'OData V2 services of what is there, and tools for those who make and use them.',
    '',
    ...columns(rows),
    '',
    `${program} <command> --help explains a command, ${program} --version prints the version.`,
    `What is called like a command is written with its directory: ${program} ./import`,
  ].join('\n')
}

/** What `express-odata-v2 <command> --help` prints. */
function commandHelp(name: string, command: Command): string {
  const { description, options, notes } = command
  const all: OptionTable = { ...options, ...helpRow }
  const rows = Object.entries(all).map(([long, { short, value, text }]) => {
    const written = `${short === undefined ? '' : `-${short}, `}--${long}${value === undefined ? '' : ` ${value}`}`
    return [written, text] as const
  })
  return [
    usageLine(name, command),
    '',
    description,
    '',
    ...columns(rows),
    ...(notes === undefined ? [] : ['', notes]),
  ].join('\n')
}

/** The line that follows on a mistake in a command line. */
function usageLine(name: string, { synopsis }: Command): string {
  return `Usage: ${program} ${name} ${synopsis}`
}

/** What a row says wraps where a line would be longer than this. */
const lineLength = 110

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, text]) => {
    const [first = '', ...others] = wrapped(text, lineLength - width - 4)
    return [`  ${name.padEnd(width)}  ${first}`, ...others.map((line) => ' '.repeat(width + 4) + line)]
  })
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The version of the package that this file is part of, whether it is built or not. */
async function versionOfPackage(): Promise<string> {
  for (let directory = new URL('.', import.meta.url); ; directory = new URL('..', directory)) {
    const file = new URL('package.json', directory)
    const { name, version } = (await readFile(file, 'utf8').then(JSON.parse, () => ({}))) as {
      readonly name?: string
      readonly version?: string
    }
    if (name === 'express-odata-v2' && version !== undefined) return version
    if (directory.pathname === '/') return 'unknown'
  }
}

/** What is known of a command before it is loaded. */
interface CommandRow {
  /** What it is for, in a line. */
  readonly summary: string
  /** Loads it, and only then what it needs. */
  readonly load: () => Promise<Command>
}

/** The commands of the program by name, in the order of its help. */
export const commandTable: Readonly<Record<string, CommandRow>> = {
  serve: {
    summary: 'serve a directory, a database or a model with rows as an OData V2 service',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  import: {
    summary: 'write the model of a metadata document or database as a TypeScript module',
    load: async () => (await import('./commands/import.js')).importCommand,
  },
  types: {
    summary: 'write TypeScript interfaces for the rows of a service or database',
    load: async () => (await import('./commands/types.js')).typesCommand,
  },
  docs: {
    summary: 'write the model of a service or database as Markdown, with a diagram',
    load: async () => (await import('./commands/docs.js')).docsCommand,
  },
  diff: {
    summary: 'say what clients of one model find different in another, and what breaks them',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  openapi: {
    summary: 'write an OpenAPI document of a service',
    load: async () => (await import('./commands/openapi.js')).openApiCommand,
  },
  audit: {
    summary: 'check whether a service keeps to the protocol',
    load: async () => (await import('./commands/audit.js')).auditCommand,
  },
}
