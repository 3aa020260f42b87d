import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { OptionTable, OptionRow } from './parse-args.js'
import type { Progress, TextStyle } from './terminal.js'
import { reasonOf, SourceError } from './errors.js'

/**
 * One command of the program: `express-odata-v2 <command> ...`.
 *
 * Each is a file of its own in `commands/`, which is loaded only when it is called, and has a row in
 * `command-table.ts`. It takes its words apart with `parseArgs(words, options)`, reads models with `readModel`, and
 * prints through `io`, never to the console. What is wrong is thrown: `UsageError` for words that mean nothing,
 * `SourceError` for a source that cannot be read; who called it prints the message, and ends with 2.
 *
 * @example
 * export const typesCommand: Command = { synopsis: '<source> [options]', description: '...', options, run }
 */
export interface Command {
  /** What is written behind the name of the command: `<source> [options]`. */
  readonly synopsis: string
  /** What it does, in some lines of at most 100 characters. */
  readonly description: string
  /** `--help` is not in it: every command has that. */
  readonly options: OptionTable
  /** What stands behind the options in the help: examples, the meaning of exit codes. */
  readonly notes?: string
  /**
   * @param words what stands behind the name of the command
   * @returns the exit code: 0 when all is well, 1 when what was looked for was found wanting (breaking changes, failed
   * checks). 2 is for faults, which are thrown.
   */
  run(words: readonly string[], io: CommandIo): Promise<number>
}

/** What a command knows of the world outside. */
export interface CommandIo {
  /** Prints a line of the result on standard output. */
  readonly print: (line: string) => void
  /** Writes a text to standard output as it is. */
  readonly write: (text: string) => void
  /** Prints a line of anything else on standard error: notes, warnings, faults. */
  readonly error: (line: string) => void
  /** Colours for what is printed; none where it is not a terminal, or where `NO_COLOR` is set. */
  readonly style: TextStyle
  /** The same for what is errorLines. */
  readonly errorStyle: TextStyle
  /** Says on a terminal what is under way, and nothing elsewhere. `progress.end()` takes it away again. */
  readonly progress: (text: string) => Progress
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array | string>
  /** Fires when the program is told to end. */
  readonly signal: AbortSignal
}

/** The option of all commands that make a document. */
export const outputOption = {
  type: 'string',
  short: 'o',
  value: '<file>',
  text: 'where to write it; else it is printed',
} as const satisfies OptionRow

/** Writes what a command has made to a file, or prints it. @throws SourceError when it cannot be written */
export async function writeResult(text: string, file: string | undefined, io: CommandIo): Promise<void> {
  if (file === undefined || file === '-') {
    io.write(text)
    return
  }
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new SourceError(`'${file}' cannot be written: ${reasonOf(error)}`)
  }
  io.error(`Written to ${file}`)
}
