import { existsSync } from 'node:fs'
import { didYouMean } from '../../errors/suggestions.js'
import type { CommandRow } from './command-table.js'
import { commandTable } from './command-table.js'
import type { CommandIo } from './command.js'
import { reasonOf, SourceError, UsageError } from './faults.js'
import { commandHelp, program, programHelp, usageLine } from './help.js'
import { versionOfPackage } from './package-version.js'

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
