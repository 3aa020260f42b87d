import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'

/** Options of {@link fileProvider}. */
export interface FileProviderOptions {
  /**
   * Media types by extension, with or without its `.`. They go before what is commonly known of extensions.
   *
   * @example { md: 'text/markdown; charset=utf-8' }
   */
  readonly contentTypes?: Readonly<Record<string, string>> | undefined
  /** True gives directories their times; without it they are null. Default false. */
  readonly directoryTimes?: boolean | undefined
  /**
   * True lets clients add, replace and delete files and directories; without it they only read. It needs an operating
   * system that shows open files under `/proc/self/fd`, such as Linux. Default false.
   */
  readonly writable?: boolean | undefined
}

const isValid: Readonly<Record<keyof FileProviderOptions, (value: unknown) => string | undefined>> = {
  contentTypes: (value) =>
    isRecord(value) ? undefined : `an object of media types by extension, such as { md: 'text/markdown' }`,
  directoryTimes: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  writable: (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
}

/** @throws TypeError for options that there are not, or that have no such values */
export function checkFileProviderOptions(options: unknown): asserts options is FileProviderOptions {
  if (!isRecord(options)) {
    throw new TypeError(`fileProvider takes an object of options, such as { directoryTimes: true }.`)
  }
  for (const [name, value] of Object.entries(options)) {
    const known = Object.keys(isValid)
    if (!isOptionName(name)) {
      throw new TypeError(
        `fileProvider has no option '${name}'.${didYouMean(name, known)} Its options are ${known.join(', ')}.`,
      )
    }
    const expected = value === undefined ? undefined : isValid[name](value)
    if (expected !== undefined) throw new TypeError(`fileProvider: ${name} must be ${expected}.`)
  }
}

function isOptionName(name: string): name is keyof FileProviderOptions {
  return Object.hasOwn(isValid, name)
}
