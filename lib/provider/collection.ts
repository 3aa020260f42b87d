import type { EntitySet } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import type { Expression } from '../query/expression.js'
import type { RelatedTo } from './provider.js'

/** Entities of one set, when everything on the way to them has been read. */
export interface Collection {
  readonly set: EntitySet
  /** Rows that are there already, such as a function returned. Absent: the provider has them. */
  readonly rows?: readonly Row[]
  /** Only entities related to this one. */
  readonly source?: RelatedTo
  /** Only entities that meet these, beside what a request asks for. */
  readonly conditions: readonly Expression[]
}
