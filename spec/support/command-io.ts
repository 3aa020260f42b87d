import type { CommandIo } from '../../lib/tools/command-line/command.js'
import { textStyle } from '../../lib/tools/command-line/terminal.js'

/** The input and output of a command that records all output. */
export interface RecordingIo extends CommandIo {
  /** Everything on standard output, without the end of the last line. */
  readonly printed: () => string
  /** Everything on standard error, without the end of the last line. */
  readonly errors: () => string
  /** The lines that were printed; more may come. */
  readonly lines: readonly string[]
  /** Comes to its end when a line is printed that looks like this. */
  readonly printedLine: (pattern: RegExp) => Promise<void>
  /** Tells the command to end. */
  readonly interrupt: () => void
}

/** @param input what stands on standard input */
export function commandIo(input = ''): RecordingIo {
  const controller = new AbortController()
  const lines: string[] = []
  const errorLines: string[] = []
  const waiting: (readonly [RegExp, () => void])[] = []
  const print = (line: string): void => {
    lines.push(line)
    for (const [pattern, resolve] of waiting) if (pattern.test(line)) resolve()
  }
  return {
    print,
    write: (text) => {
      for (const line of text.replace(/\n$/, '').split('\n')) print(line)
    },
    error: (line) => errorLines.push(line),
    style: textStyle(false),
    errorStyle: textStyle(false),
    progress: () => ({ update: () => undefined, advance: () => undefined, end: () => undefined }),
    input: (async function* () {
      yield await Promise.resolve(Buffer.from(input))
    })(),
    signal: controller.signal,
    printed: () => lines.join('\n'),
    errors: () => errorLines.join('\n'),
    lines,
    printedLine: (pattern) =>
      new Promise((resolve) => {
        waiting.push([pattern, resolve])
      }),
    interrupt: () => {
      controller.abort()
    },
  }
}
