import { parseArgs } from 'node:util'
import { didYouMean } from '../errors/suggestions.js'

/** What the command line asks for. */
export interface Arguments {
  /** A directory, a database or a metadata document; or the address of a database. */
  readonly source: string
  /** The directory with the rows of a metadata document. */
  readonly data: string | undefined
  readonly host: string
  readonly port: number
  /** Undefined for the default of the library. */
  readonly pageSize: number | undefined
  readonly readOnly: boolean
  readonly open: boolean
  readonly verbose: boolean
  readonly help: boolean
}

/** A command line that means nothing; its message says what to write. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const usage = `Usage: express-odata-v2 <source> [options]

Serves a source as an OData V2 service.

  ./directory                    the files and directories below a directory
  northwind.sqlite               the tables of an SQLite database
  postgres://user:password@host/database
                                 the tables of a PostgreSQL database; mysql://... of MySQL or MariaDB
  model.edmx --data ./data       a metadata document with rows from <EntitySet>.json

  --port <number>       the port to listen on (default 4004)
  --host <address>      the address to listen on (default 127.0.0.1: this machine only; 0.0.0.0 for all)
  --page-size <number>  how many entities a page has at most (default 1000, 0 for no limit)
  --read-only           refuse changes; files are never changed
  --data <directory>    where the rows of a metadata document are
  --open                open the service in a browser
  --verbose             print a line for each request
  --help                print this`

const options = {
  data: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  'page-size': { type: 'string' },
  'read-only': { type: 'boolean' },
  open: { type: 'boolean' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws UsageError */
export function parseArguments(words: readonly string[]): Arguments {
  const { values, positionals } = parsed(words)
  const [source, ...others] = positionals
  const help = values.help ?? false
  if (!help && (source === undefined || source === '')) throw new UsageError('What is to be served?')
  if (others.length > 0)
    throw new UsageError(`Only one source can be served, not also '${others.join("', '")}'.`)
  return {
    source: source ?? '.',
    data: values.data,
    host: values.host ?? '127.0.0.1',
    port: numberOf('--port', values.port, 65_535) ?? 4004,
    pageSize: numberOf('--page-size', values['page-size'], Number.MAX_SAFE_INTEGER),
    readOnly: values['read-only'] ?? false,
    open: values.open ?? false,
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
    if (word === '--') break
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
