import { ODataError } from '../errors/odata-error.js'
import type { Format } from '../formats/format.js'
import { atomFormat } from '../formats/atom/atom-format.js'
import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import type { Projection } from '../query/projection.js'
import type { RequestTarget } from '../query/request-target.js'
import type { QueryOptions, SystemQueryOption } from '../uri/parse-query-options.js'
import type { EntitySet, EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { WriteRow } from '../formats/entity-address.js'
import { entityTagWriter } from '../formats/entity-address.js'

const newOptions: readonly SystemQueryOption[] = ['$select', '$inlinecount', '$skiptoken']

/**
 * Refuses what a client that knows version 1 alone cannot have.
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

/** A mapped property that is not in the content is invisible to clients of version 1. */
export function checkContentOfVersion1(projection: Projection, format: Format): void {
  if (format !== atomFormat) return
  const { entityType, expansions } = projection
  const types = [entityType, ...entityType.derivedTypes]
  if (types.some(({ feedMappings }) => feedMappings.some(({ keepInContent }) => !keepInContent))) {
    throw needsVersion2('A feed customization of these entities')
  }
  for (const expansion of expansions) checkContentOfVersion1(expansion.projection, format)
}

/** Version 1 has no next links: a page that needs one is refused before anything of it is sent. */
export async function wholePage(page: CollectionPage): Promise<readonly RowBatch[]> {
  const batches: RowBatch[] = []
  for (let batch = await page.next(); batch !== undefined; batch = await page.next()) {
    batches.push(batch)
  }
  if ((await page.nextPosition()) !== undefined) throw needsNextLink()
  batches.forEach(checkExpansionsOfVersion1)
  return batches
}

/** The same for what is shown inline. */
export function checkExpansionsOfVersion1(batch: RowBatch): void {
  if (hasTruncatedExpansion(batch)) throw needsNextLink()
}

function hasTruncatedExpansion({ expansions }: RowBatch): boolean {
  return expansions.some(({ batch, truncated }) => truncated.size > 0 || hasTruncatedExpansion(batch))
}

function needsNextLink(): ODataError {
  return needsVersion2('A result of more than one page')
}

function needsVersion2(what: string): ODataError {
  return new ODataError('DataServiceVersionMismatch', {
    message: `${what} needs version 2.0, but MaxDataServiceVersion or DataServiceVersion says 1.0.`,
  })
}

/** The ETag of an entity; undefined when its type has no concurrency token. @spec MS-ODATA 2.2.5.4 */
export function entityTagOf(row: Row, { entityType }: EntitySet): string | undefined {
  return writerOf(typeOfRow(row, entityType))?.(row)
}

const writers = new WeakMap<EntityType, { readonly write: WriteRow | undefined }>()

function writerOf(type: EntityType): WriteRow | undefined {
  let writer = writers.get(type)
  if (writer === undefined) {
    writer = { write: entityTagWriter(type) }
    writers.set(type, writer)
  }
  return writer.write
}
