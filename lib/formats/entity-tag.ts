import type { EntityType } from '../edm/edm-model.js'
import type { WriteRow } from './entity-address.js'
import { literalWriter } from './literal-text.js'

/**
 * Writes the ETag of rows, `W/"3"`, from the properties that are concurrency tokens.
 *
 * @returns undefined when the type has no concurrency token
 * @spec MS-ODATA 2.2.5.4 (ETag)
 */
export function entityTagWriter({ concurrencyTokens }: EntityType): WriteRow | undefined {
  if (concurrencyTokens.length === 0) return undefined
  const writers = concurrencyTokens.map((property) => literalWriter(property))
  return (row) => `W/"${writers.map((write) => write(row)).join(',')}"`
}
