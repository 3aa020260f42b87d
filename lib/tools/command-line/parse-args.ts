import { parseArgs as parseNodeArgs } from 'node:util'
import { didYouMean } from '../../errors/suggestions.js'
import { UsageError } from './errors.js'

/** The options of a command by their long names, without dashes. */
export type OptionTable = Readonly<Record<string, OptionRow>>

export interface OptionRow {
  readonly type: 'string' | 'boolean'
  /** One letter, for `-o`. */
  readonly short?: string
  /** Whether it may be given several times. */
  readonly multiple?: true
  /** What stands for its value in the help: `<number>`. */
  readonly value?: string
  /** What it means, for the help. */
  readonly text: string
}

/** What has been given of the options of a table. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?: Table[Name] extends { readonly type: 'boolean' }
    ? boolean
    : Table[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string
}

/**
 * Takes the words of a command line apart.
 *
 * @returns the values of options, and the words that are none
 * @throws UsageError for what is no option of the table, with the one that may be meant
 * @example
 * const { values, positionals } = parseArgs(words, { output: { type: 'string', value: '<file>', text: '...' } })
 */
export function parseArgs<const Table extends OptionTable>(
  words: readonly string[],
  table: Table,
): { readonly values: OptionValues<Table>; readonly positionals: readonly string[] } {
  const known = [...Object.keys(table), 'help'].map((name) => `--${name}`)
  for (const word of words) {
    const [name = ''] = word.split('=')
    if (word === '--') break
    if (!name.startsWith('--') || known.includes(name)) continue
    throw new UsageError(`There is no option '${name}'.${didYouMean(name, known)}`)
  }
  try {
    const { values, positionals } = parseNodeArgs({
      args: [...words],
      options: table,
      allowPositionals: true,
    })
    return { values, positionals }
  } catch (error) {
    throw new UsageError(plain(error))
  }
}

/** What Node advises beside, about words that begin with a dash, confuses more than it helps. */
function plain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\. To specify a positional argument.*$/s, '.')
}

/**
 * The only source that words may name.
 *
 * @param question what to ask when there is none: `What is to be served?`
 * @throws UsageError
 */
export function parseSource(positionals: readonly string[], question: string): string {
  const [source, ...others] = positionals
  if (source === undefined || source === '') throw new UsageError(question)
  if (others.length > 0)
    throw new UsageError(`Only one source can be named, not also '${others.join("', '")}'.`)
  return source
}

/** @throws UsageError for what is no whole number up to a maximum */
export function parseWholeNumber(
  name: string,
  text: string | undefined,
  maximum: number,
): number | undefined {
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= maximum))
    throw new UsageError(`${name} must be a whole number up to ${String(maximum)}, not '${text}'.`)
  return value
}

/** @throws UsageError for what is none of the choices, with the one that may be meant */
export function parseChoice<const Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const [first] = choices
  const choice = text === undefined ? first : choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new UsageError(
    `${name} is one of ${choices.join(', ')}, not '${text ?? ''}'.${didYouMean(text ?? '', choices)}`,
  )
}

/** @throws UsageError for what is no address of the web */
export function parseUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:/i.test(text))) return text
  throw new UsageError(`${name} must be an address such as https://host/path/, not '${text}'.`)
}

/** The columns of keys by the name of the view or table. */
export type ViewKeys = Readonly<Record<string, readonly string[]>>

export const keyOption = {
  type: 'string',
  multiple: true,
  value: '<view>=<column>,...',
  text: 'the key of a view, or of a table without primary key, of a database; may be given several times',
} as const satisfies OptionRow

/** @param given `Totals=Year,Month`, each @throws UsageError for what is not written like that */
export function parseKeys(given: readonly string[] = []): ViewKeys {
  return Object.fromEntries(
    given.map((text) => {
      const [view = '', columns = '', ...others] = text.split('=')
      const names = columns.split(',').map((name) => name.trim())
      if (view === '' || names.includes('') || others.length > 0) {
        throw new UsageError(`--key must be written <view>=<column>,<column>..., not '${text}'.`)
      }
      return [view, names] as const
    }),
  )
}
