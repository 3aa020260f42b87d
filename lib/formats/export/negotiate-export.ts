import { csvFormat } from '../csv/csv-format.js'
import type { MediaRange } from '../media-range.js'
import { parseAccept, parseMediaRange } from '../media-range.js'
import { bestFeedMatch } from '../negotiate.js'
import { xlsxFormat } from '../xlsx/xlsx-format.js'
import type { ExportFormatName } from './export-options.js'
import type { ExportFormat } from './table-writer.js'

const formats: Readonly<Record<ExportFormatName, ExportFormat>> = { csv: csvFormat, xlsx: xlsxFormat }

/** Returns the media types of formats. */
export function exportMediaTypes(names: readonly ExportFormatName[]): readonly string[] {
  return names.map((name) => formats[name].mediaType)
}

/** A name is more specific than a wildcard, and less than a name with parameters. */
const SPECIFICITY_OF_NAME = 3

/** A negotiated export. */
export interface NegotiatedExport {
  readonly name: ExportFormatName
  readonly format: ExportFormat
}

/**
 * Chooses the format of an export. Wildcards never select one: a request that accepts anything gets a feed.
 *
 * @param offered the formats that the service offers
 * @param formatOption the value of `$format`, which takes precedence over the header
 * @param accept the `Accept` header
 * @returns undefined when the response is a feed, or not acceptable
 */
export function negotiateExport(
  offered: readonly ExportFormatName[],
  formatOption: string | undefined,
  accept: string | undefined,
): NegotiatedExport | undefined {
  if (formatOption !== undefined) {
    const requested = formatOption.trim()
    const range = parseMediaRange(requested)
    const name = offered.find((one) => one === requested || (range !== undefined && matches(range, one)))
    return name && { name, format: formats[name] }
  }
  const ranges = parseAccept(accept)
  let best: { readonly name: ExportFormatName; readonly quality: number } | undefined
  for (const range of ranges ?? []) {
    const name = offered.find((one) => matches(range, one))
    if (name !== undefined && range.quality > (best?.quality ?? 0)) best = { name, quality: range.quality }
  }
  if (best === undefined) return undefined
  const feed = bestFeedMatch(ranges)
  const isPreferred =
    feed === undefined ||
    best.quality > feed.range.quality ||
    (best.quality === feed.range.quality && SPECIFICITY_OF_NAME > feed.specificity)
  return isPreferred ? { name: best.name, format: formats[best.name] } : undefined
}

function matches({ type, subtype, parameters }: MediaRange, name: ExportFormatName): boolean {
  const charset = parameters.get('charset') ?? 'utf-8'
  return `${type}/${subtype}` === formats[name].mediaType && (charset === 'utf-8' || charset === 'utf8')
}
