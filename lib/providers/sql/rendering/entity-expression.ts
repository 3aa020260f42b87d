import type { EntryTemplate, InlineEntryPart, InlineFeedPart } from '../../../provider/entry-template.js'
import type { RenderedExpansion } from '../../../provider/rendering.js'
import type { SqlDialect } from '../dialect.js'
import type { EntityTable } from '../entity-table.js'
import { SelectStatements } from '../select-statements.js'
import type { Selection } from '../row-reader.js'
import type { Sql } from '../sql-text.js'
import { joined, raw, sql } from '../sql-text.js'
import type { TableCatalog } from '../table-catalog.js'
import type { EntryExpression } from './entry-expression.js'
import { entryExpression, inlineColumn, inlineTotal, sourceColumns } from './entry-expression.js'
import type { RenderDialect } from './render-dialect.js'

/** Of more entities behind one property than that, no database writes all at once. */
const mostInline = 5000

/** What is used to make expressions. */
export interface RenderTools {
  readonly catalog: TableCatalog
  readonly dialect: SqlDialect
  readonly rendering: RenderDialect
  readonly doubleAsNumber: boolean
}

/** What the database computes for each entity, with all that is shown inline. */
export interface EntityExpression {
  readonly alias: string
  readonly entry: EntryExpression
  /** What is shown inline, in the order of the expansions. */
  readonly inline: readonly Sql[]
  /** As what it is shown there or here: some characters are none in XML. */
  readonly notation: 'json' | 'xml'
}

/** Undefined when the database cannot write such entities. */
export function entityExpression(
  template: EntryTemplate,
  expansions: readonly RenderedExpansion[],
  table: EntityTable,
  alias: string,
  tools: RenderTools,
): EntityExpression | undefined {
  if (table.typeColumn !== undefined || table.media !== undefined) return undefined
  const { rendering, doubleAsNumber } = tools
  const entry = entryExpression(template, { table, alias, dialect: rendering, doubleAsNumber })
  if (entry === undefined) return undefined
  const inline: Sql[] = []
  let { notation } = entry
  for (const [index, expansion] of expansions.entries()) {
    const made = inlineExpression(
      partOf(template, index),
      expansion,
      `${alias}i${String(index)}`,
      alias,
      tools,
    )
    if (made === undefined) return undefined
    inline.push(made.sql)
    if (made.notation === 'xml') notation = 'xml'
  }
  return { alias, entry, inline, notation }
}

/**
 * The texts of some entities as `x`, and how many are shown inline of each as `n`.
 *
 * @param source selects of the rows that are meant
 * @param isSorted whether the database may have to sort them, which is better done before they are written
 * @param key what is selected of each row beside that
 */
export function writtenRows(
  { alias, entry, inline }: EntityExpression,
  source: (selection: Selection) => Sql | undefined,
  { fence }: RenderDialect,
  isSorted = false,
  key?: Sql,
): Sql | undefined {
  const texts = [sql`${entry.text} as x`]
  if (key !== undefined) texts.push(key)
  if (inline.length === 0 && !isSorted) {
    const selected = joined(texts, ', ')
    return source({ selection: () => selected, names: raw('x') })
  }
  const columns = [...entry.columns]
  const rows = source({
    selection: () => sourceColumns(alias, columns, inline),
    names: raw(
      [...columns.map(({ quoted }) => quoted), ...inline.map((_, index) => inlineColumn(index))].join(', '),
    ),
  })
  if (rows === undefined) return undefined
  if (inline.length > 0) texts.push(raw(`${inlineTotal(alias, inline.length)} as n`))
  return sql`select ${joined(texts, ', ')} from (${rows}) as ${raw(alias + fence)}`
}

type InlinePart = InlineEntryPart | InlineFeedPart

function partOf({ parts }: EntryTemplate, expansion: number): InlinePart | undefined {
  for (const part of parts) {
    const isInline = part.kind === 'InlineEntry' || part.kind === 'InlineFeed'
    if (isInline && part.expansion === expansion) return part
  }
  return undefined
}

/** The entities behind a navigation property of one row, with their number in front. */
function inlineExpression(
  part: InlinePart | undefined,
  { source, navigation, filter, limit, expansions }: RenderedExpansion,
  alias: string,
  outer: string,
  tools: RenderTools,
): { readonly sql: Sql; readonly notation: 'json' | 'xml' } | undefined {
  const { catalog, dialect, rendering } = tools
  const relation = catalog.relation(source, navigation)
  if (part?.template === undefined || relation === undefined) return undefined
  const entity = entityExpression(part.template, expansions, relation.target, alias, tools)
  if (entity === undefined) return undefined
  const isFeed = part.kind === 'InlineFeed'
  const most = Math.min(limit, mostInline)
  // One more tells that there are more than are shown.
  const query = { filter, top: isFeed ? most + 1 : 1 }
  const statements = new SelectStatements(relation.target, catalog, dialect)
  const rows = writtenRows(
    entity,
    (selection) => statements.relatedTo(outer, relation, query, alias, selection.selection(alias)),
    rendering,
  )
  if (rows === undefined) return undefined
  const total = entity.inline.length === 0 ? 'count(*)' : 'count(*) + coalesce(sum(n), 0)'
  const separator = isFeed ? part.separator : ''
  return { sql: rendering.inline(rows, separator, total, isFeed ? most : 1), notation: entity.notation }
}
