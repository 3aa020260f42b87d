import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { RelatedTo } from '../provider/provider.js'
import type { Conditions } from './pushdown.js'

/** Entities of one set, when everything on the way to them has been read. */
export interface Collection extends Conditions {
  readonly set: EntitySet
  /** Rows that are there already, such as a function returned. Absent: the provider has them. */
  readonly rows?: readonly Row[]
  /** Only entities related to this one. */
  readonly source?: RelatedTo
}
