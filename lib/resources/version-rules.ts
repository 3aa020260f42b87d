import { ODataError } from '../errors/odata-error.js'
import type { Format } from '../formats/format.js'
import { atomFormat } from '../formats/atom/atom-format.js'
import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import { optionsWhere } from '../query/query-option-rules.js'
import type { RequestTarget } from '../query/request-target.js'
import type { QueryOptions } from '../uri/parse-query-options.js'

const newOptions = optionsWhere(({ since }) => since === '2.0')

/**
 * Refuses features that clients of version 1.0 do not support.
 *
 * @throws ODataError DataServiceVersionMismatch
 * @spec MS-ODATA 2.2.5.3 (DataServiceVersion)
 */
export function checkVersion1(target: RequestTarget, options: QueryOptions): void {
  const option = newOptions.find((one) => options.system.has(one))
  if (option !== undefined) throw needsVersion2(option)
  if (target.kind === 'EntityCount' || (target.kind === 'Links' && target.count))
    throw needsVersion2('$count')
}

/** Refuses mapped properties outside of the content, which clients of version 1.0 do not read. */
export function checkContentOfVersion1(projection: Projection, format: Format): void {
  if (format !== atomFormat) return
  const { entityType, expansions } = projection
  const types = [entityType, ...entityType.derivedTypes]
  if (types.some(({ feedMappings }) => feedMappings.some(({ keepInContent }) => !keepInContent))) {
    throw needsVersion2('A feed customization of these entities')
  }
  for (const expansion of expansions) checkContentOfVersion1(expansion.projection, format)
}

/** Reads a whole page, and refuses it if it needs a next link, which version 1.0 does not have. */
export async function bufferPage(page: CollectionPage): Promise<readonly RowBatch[]> {
  const batches: RowBatch[] = []
  for (let batch = await page.next(); batch !== undefined; batch = await page.next()) {
    batches.push(batch)
  }
  if (page.hasMore) throw needsNextLink()
  batches.forEach(checkExpansionsOfVersion1)
  return batches
}

/** Refuses truncated expansions, which need a next link. */
export function checkExpansionsOfVersion1(batch: RowBatch): void {
  if (isTruncated(batch)) throw needsNextLink()
}

function isTruncated({ expansions }: RowBatch): boolean {
  return expansions.some(({ batch, truncated }) => truncated.size > 0 || isTruncated(batch))
}

function needsNextLink(): ODataError {
  return needsVersion2('A result of more than one page')
}

function needsVersion2(what: string): ODataError {
  return new ODataError('DataServiceVersionMismatch', {
    message: `${what} needs version 2.0, but MaxDataServiceVersion or DataServiceVersion is 1.0.`,
  })
}
