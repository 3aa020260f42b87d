import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { OptionTable, OptionRow } from './parse-args.js'
import type { Progress, TextStyle } from './terminal.js'
import { textStyle } from './terminal.js'
import { SourceError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'

/**
 * One command of the program: `express-odata-v2 <command> ...`.
 *
 * Each command is a file in `commands/` that is imported when it is called, and has a row in `run.ts`. It parses its
 * arguments with `parseArgs(words, options)`, reads models with `readModel` and prints through `io`. It throws
 * `UsageError` for an invalid command line and `SourceError` for a source that cannot be used; `run` prints the message
 * and returns 2.
 *
 * @example
 * const command: Command = { synopsis: '<source>', description: '...', options: {}, run: async () => 0 }
 */
export interface Command {
  /** The arguments for the usage line: `<source> [options]`. */
  readonly synopsis: string
  /** Description for the help, in lines of at most 110 characters. */
  readonly description: string
  /** All options except `--help`. */
  readonly options: OptionTable
  /** Text after the options in the help: examples, exit codes. */
  readonly notes?: string
  /**
   * @param words the arguments after the name of the command
   * @returns the exit code: 0 for success, 1 for breaking changes or failed checks. Errors are thrown.
   */
  run(words: readonly string[], io: CommandIo): Promise<number>
}

/** The input and output of a command. */
export interface CommandIo {
  /** Prints a line of the result on standard output. */
  readonly print: (line: string) => void
  /** Writes a string to standard output without adding a line break. */
  readonly write: (text: string) => void
  /** Prints a line on standard error: notes, warnings, errors. */
  readonly error: (line: string) => void
  /** Colors of standard output; no effect outside of terminals and with `NO_COLOR`. */
  readonly style: TextStyle
  /** Colors of standard error. */
  readonly errorStyle: TextStyle
  /** Shows progress on a terminal until `progress.end()`; no effect elsewhere. */
  readonly progress: (text: string) => Progress
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array | string>
  /** Aborts when the program is interrupted. */
  readonly signal: AbortSignal
}

/** The option of all commands that write a document. */
export const outputOption = {
  type: 'string',
  short: 'o',
  value: '<file>',
  text: 'the file to write (default: standard output)',
} as const satisfies OptionRow

/** Writes the result of a command to a file, or to standard output. @throws SourceError if writing fails */
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
  io.error(`Wrote ${file}`)
}

/** Returns the style of a result; files have no colors. */
export function styleOfResult(file: string | undefined, { style }: CommandIo): TextStyle {
  return file === undefined ? style : textStyle(false)
}
