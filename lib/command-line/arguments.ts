import { parseArgs } from 'node:util'
import { didYouMean } from '../errors/suggestions.js'

/** What the command line asks for. */
export interface Arguments {
  readonly directory: string
  readonly port: number
  /** Undefined for the default of the library. */
  readonly pageSize: number | undefined
  readonly verbose: boolean
  readonly help: boolean
}

/** A command line that means nothing; its message says what to write. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `Usage: express-odata-v2 <directory> [options]

Serves the files and directories below a directory as an OData V2 service.

  --port <number>       the port to listen on (default 4004)
  --page-size <number>  how many entities a page has at most (default 1000, 0 for no limit)
  --verbose             print a line for each request
  --help                print this`

const options = {
  port: { type: 'string' },
  'page-size': { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws UsageError */
export function parseArguments(words: readonly string[]): Arguments {
  const { values, positionals } = parsed(words)
  const [directory, ...others] = positionals
  const help = values.help ?? false
  if (!help && directory === undefined) throw new UsageError('Which directory is to be served?')
  if (others.length > 0)
    throw new UsageError(`Only one directory can be served, not also '${others.join("', '")}'.`)
  return {
    directory: directory ?? '.',
    port: numberOf('--port', values.port, 65_535) ?? 4004,
    pageSize: numberOf('--page-size', values['page-size'], Number.MAX_SAFE_INTEGER),
    verbose: values.verbose ?? false,
    help,
  }
}

function parsed(
  words: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  const known = Object.keys(options).map((name) => `--${name}`)
  for (const word of words) {
    const [name = ''] = word.split('=')
    if (!name.startsWith('--') || known.includes(name)) continue
    throw new UsageError(`There is no option '${name}'.${didYouMean(name, known)}`)
  }
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function numberOf(name: string, text: string | undefined, maximum: number): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= maximum))
    throw new UsageError(`${name} must be a whole number up to ${maximum}, not '${text}'.`)
  return value
}
