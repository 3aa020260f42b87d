import type { ContractRows, PlainRow } from '../contracts/contract-data.js'
import { contractFunctions, rowsWithLinks } from '../contracts/contract-data.js'
import type { Row } from '../../lib/evaluation/row.js'
import type { MediaProvider } from '../../lib/provider/media.js'
import type { EntitySetProvider, Provider } from '../../lib/provider/provider.js'

/** Creates the provider of one set from its rows. */
type MakeEntitySet = (rows: readonly PlainRow[], set: string) => EntitySetProvider

/**
 * A provider as people write them: rows with the keys of what they are linked to, and a function that reads them.
 *
 * @param makeEntitySet by default an array that is read as a whole
 */
export function plainProvider(
  rows: ContractRows,
  makeEntitySet: MakeEntitySet = (all) => ({ read: () => all }),
): Provider {
  const complete = rowsWithLinks(rows, 'both')
  const entitySets = Object.entries(complete).map(([set, all]) => {
    const hasMedia = all.some(({ $media }) => $media !== undefined)
    return [set, { ...makeEntitySet(all, set), ...(hasMedia ? { media: mediaOfRows } : {}) }] as const
  })
  return { entitySets: Object.fromEntries(entitySets), functions: contractFunctions(complete) }
}

interface GivenMedia {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Media resources that stand in the rows. */
const mediaOfRows: MediaProvider<Row> = {
  contentType: (row) => (row.$media as GivenMedia).contentType,
  open(row) {
    const { contentType, bytes } = row.$media as GivenMedia
    return {
      contentType,
      size: bytes.length,
      stream: (range) => (range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
      close: () => undefined,
    }
  },
}
