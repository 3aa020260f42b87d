import { existsSync } from 'node:fs'
import { didYouMean } from '../../errors/suggestions.js'
import type { CommandIo, Command } from './command.js'
import { SourceError, UsageError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'
import type { OptionTable } from './parse-args.js'
import { readFile } from 'node:fs/promises'

/** The exit code that shells expect of a program that was ended by SIGINT. */
const INTERRUPTED_EXIT_CODE = 130

/**
 * Runs the command that a command line names.
 *
 * @param words the arguments of the process
 * @returns the exit code: 0 for success, 1 for failed checks or breaking changes, 2 for an invalid command line or a
 * source that cannot be used
 */
export async function run(words: readonly string[], io: CommandIo): Promise<number> {
  const [first, ...others] = words
  if (first === '--version') return printed(await packageVersion(), io)
  if (first === undefined) {
    io.error(programHelp())
    return 2
  }
  if (isHelp(first)) return printed(programHelp(), io)
  if (first === 'help') return helpFor(others, io)
  if (isCommand(first)) return runCommand(first, others, io)
  const hint = suggestCommand(first)
  if (hint === '') return runCommand('serve', words, io)
  io.error(`There is no command, file or directory '${first}'.${hint}`)
  return 2
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name)
}

/** Suggests a command for a word that resembles one, unless a file has that name. */
function suggestCommand(word: string): string {
  return /^[a-z]+$/.test(word) && !existsSync(word) ? didYouMean(word, Object.keys(commandTable)) : ''
}

function printed(text: string, { print }: CommandIo): 0 {
  print(text)
  return 0
}

async function helpFor([name]: readonly string[], io: CommandIo): Promise<number> {
  if (name === undefined || name.startsWith('-')) return printed(programHelp(), io)
  if (isCommand(name)) return printed(commandHelp(name, await commandTable[name].load()), io)
  io.error(`There is no command '${name}'.${didYouMean(name, Object.keys(commandTable))}`)
  return 2
}

async function runCommand(name: CommandName, words: readonly string[], io: CommandIo): Promise<number> {
  const command = await commandTable[name].load()
  const end = words.indexOf('--')
  if (words.slice(0, end < 0 ? words.length : end).some(isHelp))
    return printed(commandHelp(name, command), io)
  try {
    return await command.run(words, io)
  } catch (error) {
    if (io.signal.aborted) return INTERRUPTED_EXIT_CODE
    const { red } = io.errorStyle
    if (error instanceof UsageError) {
      const help = `${usageLine(name, command)}\nSee ${program} ${name} --help.`
      io.error(`${red(error.message)}\n\n${help}`)
    } else io.error(red(describeError(error)))
    return 2
  }
}

/** Returns the message of an expected error, and the stack of an unexpected one. */
function describeError(error: unknown): string {
  const isExpected = error instanceof SourceError || !(error instanceof Error)
  return isExpected ? reasonOf(error) : (error.stack ?? error.message)
}

const program = 'express-odata-v2'

function programHelp(): string {
  const rows = Object.entries(commandTable).map(([name, { summary }]) => [name, summary] as const)
  return [
    `Usage: ${program} <command> ...`,
    `       ${program} <source> [options]     short for ${program} serve <source> [options]`,
    '',
    'Serve directories, databases and models as OData V2 services, and work with the models of services.',
    '',
    ...columns(rows),
    '',
    `Run ${program} <command> --help for the options of a command, ${program} --version for the version.`,
    `To serve a file or directory that has the name of a command, write its path: ${program} ./import`,
  ].join('\n')
}

function commandHelp(name: string, command: Command): string {
  const { description, options, notes } = command
  const all: OptionTable = { ...options, help: { type: 'boolean', short: 'h', text: 'print this help' } }
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

function usageLine(name: string, { synopsis }: Command): string {
  return `Usage: ${program} ${name} ${synopsis}`
}

/** Longer lines of the help are wrapped. */
const MAX_LINE_LENGTH = 110

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.flatMap(([name, text]) => {
    const [first = '', ...others] = wrapped(text, MAX_LINE_LENGTH - width - 4)
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

/** Returns the version of the package that this file is part of, whether it is built or not. */
async function packageVersion(): Promise<string> {
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

/** A command before it is loaded. */
interface CommandRow {
  /** One line for the help of the program. */
  readonly summary: string
  /** Imports the command and its dependencies. */
  readonly load: () => Promise<Command>
}

/** The commands of the program by name, in the order of its help. */
export const commandTable = {
  serve: {
    summary: 'serve a directory, a database or a model with rows as an OData V2 service',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  bridge: {
    summary: 'serve an OData V4 service as an OData V2 service',
    load: async () => (await import('./commands/bridge.js')).bridgeCommand,
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
  ddl: {
    summary: 'write the SQL statements that create or change the tables of a model',
    load: async () => (await import('./commands/ddl.js')).ddlCommand,
  },
  explain: {
    summary: 'show how a request is evaluated: SQL statements, their plans, and missing indexes',
    load: async () => (await import('./commands/explain.js')).explainCommand,
  },
  diff: {
    summary: 'compare two models and report changes that break clients',
    load: async () => (await import('./commands/diff.js')).diffCommand,
  },
  openapi: {
    summary: 'write an OpenAPI document of a service',
    load: async () => (await import('./commands/openapi.js')).openApiCommand,
  },
  audit: {
    summary: 'check whether a service conforms to OData V2',
    load: async () => (await import('./commands/audit.js')).auditCommand,
  },
} as const satisfies Readonly<Record<string, CommandRow>>

type CommandName = keyof typeof commandTable
