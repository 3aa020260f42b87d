import type { Row } from '../../evaluation/row.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { ExpandBranch, ReadQuery, Rows, RowsPage } from '../../provider/provider.js'
import type { V4QueryTranslator } from './query/v4-query.js'
import type { V4Service } from './v4-service.js'

/** An entity set, as the sets whose entities refer to its entities use it. */
export interface V4Set {
  readonly service: V4Service
  /** Of the entity set in the V2 model. */
  readonly path: string
  readonly translator: V4QueryTranslator
  /** Converts an entity of a response in place. */
  readonly convert: (entity: unknown) => Row
  canExpand(branch: ExpandBranch): boolean
  /** Returns the key of a row as a string. */
  keyText(row: Row): string | undefined
  read(query: ReadQuery, call: ProviderCall): Promise<Rows | RowsPage | null>
  /** Reads the keys of entities and the related entities of one branch. @param keys conditions on the key */
  readByKeys(keys: readonly string[], branch: ExpandBranch, call: ProviderCall): Promise<readonly Row[]>
}

/** Returns the set with a path in the V2 model. */
export type SetOf = (path: string) => V4Set
