import type { EntityType } from '../../edm/edm-model.js'
import type { Condition } from '../../evaluation/compile-expression.js'
import { ExpressionCompiler } from '../../evaluation/compile-expression.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import type { Expression, OrderByTerm } from '../../query/expression.js'
import { forEachPath } from '../../query/expression.js'
import type { Pushdown, ReadQuery } from '../../provider/provider.js'
import { fileModel } from './file-model.js'
import type { FileRow } from './file-row.js'
import type { PathInterval } from './path-interval.js'
import { intersection, intervalBehind, intervalOf } from './path-interval.js'

/** What a directory tells of its entries without asking for each of them. */
const listed: ReadonlySet<string> = new Set(['path', 'name', 'isDirectory'])

/** What the file service does itself: everything that needs no more than the names in directories. */
export const filePushdown: Pushdown = {
  filter: looksAtNamesOnly,
  orderBy: (terms) => terms.every(isPathTerm),
  paging: true,
  navigation: ({ name }) => name === 'Files' || name === 'Parent',
}

/** A query made ready for a walk through the tree. */
export interface FileQuery {
  readonly interval: PathInterval
  readonly descending: boolean
  readonly condition: Condition | undefined
  /** Whether sizes and times are wanted. */
  readonly information: boolean
  readonly skip: number
  /** Infinite when there is no limit. */
  readonly top: number
}

/** Makes a query ready of which only what {@link filePushdown} accepts is asked. */
export function fileQuery(query: Omit<ReadQuery, 'entitySet' | 'source'>): FileQuery {
  const { filter, orderBy = [], seek, properties } = query
  const descending = orderBy.map((term) => term.descending)
  const sought = seek === undefined ? {} : intervalBehind(seek, descending)
  return {
    interval: filter === undefined ? sought : intersection(sought, intervalOf(filter)),
    descending: descending[0] ?? false,
    condition: filter && new ExpressionCompiler(fileType(), withoutNavigation).condition(filter),
    information: properties === undefined || unlisted.some((name) => properties.has(name)),
    skip: query.skip ?? 0,
    top: query.top ?? Number.POSITIVE_INFINITY,
  }
}

const unlisted = ['size', 'lastAccess', 'lastModified'] as const satisfies readonly (keyof FileRow)[]

function fileType(): EntityType {
  const type = fileModel.defaultContainer.entitySet('Files')?.entityType
  if (type === undefined) throw new Error('The model of the file service has no files.')
  return type
}

function looksAtNamesOnly(condition: Expression): boolean {
  let only = true
  forEachPath(condition, (path) => {
    if (path.kind !== 'PropertyPath' || path.steps.length > 0 || !listed.has(path.property.name)) only = false
  })
  return only
}

function isPathTerm({ expression }: OrderByTerm): boolean {
  return (
    expression.kind === 'PropertyPath' && expression.steps.length === 0 && expression.property.name === 'path'
  )
}
