import { parseArgs as parseNodeArgs } from 'node:util'
import { didYouMean } from '../../errors/suggestions.js'
import type { DefaultFormat } from '../../formats/negotiate.js'
import { UsageError } from './errors.js'
import { reasonOf } from '../../util/thrown-error.js'

/** The options of a command by their long names, without dashes. */
export type OptionTable = Readonly<Record<string, OptionRow>>

export interface OptionRow {
  readonly type: 'string' | 'boolean'
  /** One letter, for `-o`. */
  readonly short?: string
  /** True if the option can be repeated. */
  readonly multiple?: true
  /** Placeholder for the value in the help: `<number>`. */
  readonly value?: string
  /** Description for the help. */
  readonly text: string
}

/** The values of the options of a table that the command line contains. */
export type OptionValues<Table extends OptionTable> = {
  readonly [Name in keyof Table]?:
    | (Table[Name] extends { readonly type: 'boolean' }
        ? boolean
        : Table[Name] extends { readonly multiple: true }
          ? readonly string[]
          : string)
    | undefined
}

/**
 * Parses the arguments of a command.
 *
 * @returns the values of options, and the positional arguments
 * @throws UsageError for unknown options, with a suggestion, and for invalid values
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
    // Beginnings such as --out are no misspellings, but users of other programs expect that they work.
    const begun = known.filter((one) => name.length > 3 && one.startsWith(name))
    throw new UsageError(`There is no option '${name}'.${didYouMean(begun[0] ?? name, known)}`)
  }
  try {
    const { values, positionals } = parseNodeArgs({
      args: [...words],
      options: table,
      allowPositionals: true,
    })
    return { values, positionals }
  } catch (error) {
    // The advice of Node about arguments that begin with a dash is misleading here.
    throw new UsageError(reasonOf(error).replace(/\. To specify a positional argument.*$/s, '.'))
  }
}

/**
 * Returns the one source that the positional arguments name.
 *
 * @param question the error message without a source: `Which source do you want to serve?`
 * @throws UsageError
 */
export function parseSource(positionals: readonly string[], question: string): string {
  const [source, ...others] = positionals
  if (source === undefined || source === '') throw new UsageError(question)
  if (others.length > 0) throw new UsageError(`Name only one source. Unexpected: '${others.join("', '")}'.`)
  return source
}

/** @throws UsageError unless the value is a whole number up to a maximum */
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

/** @throws UsageError with a suggestion unless the value is one of the choices; the first is the default */
export function parseChoice<const Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const [first] = choices
  const choice = text === undefined ? first : choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new UsageError(
    `${name} must be one of ${choices.join(', ')}, not '${text ?? ''}'.${didYouMean(text ?? '', choices)}`,
  )
}

/** @throws UsageError unless the value is an absolute HTTP URL */
export function parseUrl(name: string, text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:/i.test(text))) return text
  throw new UsageError(`${name} must be a URL such as https://host/path/, not '${text}'.`)
}

/** Key columns by the name of the view or table. */
export type ViewKeys = Readonly<Record<string, readonly string[]>>

export const keyOption = {
  type: 'string',
  multiple: true,
  value: '<view>=<column>,...',
  text: 'the key of a view, or of a table without primary key; can be repeated',
} as const satisfies OptionRow

/** @param given values such as `Totals=Year,Month` @throws UsageError */
export function parseKeys(option: string, given: readonly string[] = []): ViewKeys {
  return Object.fromEntries(
    given.map((text) => {
      const [view = '', columns = '', ...others] = text.split('=')
      const names = columns.split(',').map((name) => name.trim())
      if (view === '' || names.includes('') || others.length > 0) {
        const form = option === '--key' ? '<view>=<column>,<column>...' : '<set>=<property>,<property>...'
        throw new UsageError(`${option} must be written ${form}, not '${text}'.`)
      }
      return [view, names] as const
    }),
  )
}

/** @param given values such as `orders,order_*` @throws UsageError */
export function parseNames(option: string, given: readonly string[] = []): readonly string[] {
  const names = given.flatMap((text) => text.split(',')).map((name) => name.trim())
  if (names.includes('')) throw new UsageError(`${option} must be written <name>,<name>...`)
  return names
}

export const flattenInheritanceOption = {
  type: 'boolean',
  text: 'repeat inherited members in metadata documents, for clients that ignore BaseType',
} as const

export const defaultFormatOption = {
  type: 'string',
  value: '<name>',
  text: 'the format if a request does not choose one: atom or json (default atom)',
} as const satisfies OptionRow

/** @throws UsageError */
export function parseDefaultFormat(name: string | undefined): DefaultFormat | undefined {
  if (name === undefined || name === 'atom' || name === 'json') return name
  throw new UsageError(`--default-format must be atom or json, not '${name}'.`)
}
