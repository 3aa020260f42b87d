import { checkChoice, checkNames, invalid } from '../../errors/check-option.js'

const exportFormatNames = ['csv', 'xlsx'] as const

/**
 * A format of exports, as `$format` names it.
 *
 * @example const formats: ExportFormatName[] = ['csv', 'xlsx']
 */
export type ExportFormatName = (typeof exportFormatNames)[number]

const separators = [',', ';', '\t', '|'] as const

/**
 * Options of CSV and Excel exports.
 *
 * @example
 * const options: ServiceOptions = { exports: { formats: ['csv'], separator: ';' } }
 */
export interface ExportOptions {
  /** The formats that clients can request. Default: `['csv', 'xlsx']`. */
  readonly formats?: readonly ExportFormatName[] | undefined
  /**
   * How CSV represents strings that a spreadsheet would evaluate as a formula: `escape` prefixes them with `'`, `keep`
   * leaves them unchanged, for consumers other than spreadsheets. Default: `escape`.
   */
  readonly formulas?: 'escape' | 'keep' | undefined
  /** The separator of CSV fields. Default: `,`. */
  readonly separator?: (typeof separators)[number] | undefined
  /** If true, CSV begins with a byte order mark, which Excel needs to read it as UTF-8. Default: true. */
  readonly byteOrderMark?: boolean | undefined
}

/** Validated options of exports with all defaults. */
export type ExportSettings = { readonly [Name in keyof ExportOptions]-?: NonNullable<ExportOptions[Name]> }

/**
 * Validates the option `exports`.
 *
 * @returns undefined for a service without exports
 * @throws ConfigurationError for an invalid option
 */
export function exportSettingsOf(exports: boolean | ExportOptions | undefined): ExportSettings | undefined {
  if (exports === undefined || exports === false) return undefined
  if (exports !== true && (typeof exports !== 'object' || (exports as unknown) === null)) {
    throw invalid(`exports must be true, false, or an object such as { formats: ['csv'] }`)
  }
  const options: ExportOptions = exports === true ? {} : exports
  checkNames(options, ['formats', 'formulas', 'separator', 'byteOrderMark'], 'an option', 'exports.')
  checkChoice('exports.formulas', options.formulas, ['escape', 'keep'])
  checkChoice('exports.separator', options.separator, separators)
  checkChoice('exports.byteOrderMark', options.byteOrderMark, [true, false])
  return {
    formats: formatsOf(options.formats),
    formulas: options.formulas ?? 'escape',
    separator: options.separator ?? ',',
    byteOrderMark: options.byteOrderMark ?? true,
  }
}

function formatsOf(formats: ExportOptions['formats']): readonly ExportFormatName[] {
  if (formats === undefined) return exportFormatNames
  if (!Array.isArray(formats) || formats.length === 0) {
    throw invalid(`exports.formats must be an array such as ['csv', 'xlsx']`)
  }
  for (const name of formats) checkChoice('exports.formats', name, exportFormatNames)
  return exportFormatNames.filter((name) => formats.includes(name))
}
