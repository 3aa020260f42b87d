import type { Property } from '../../../edm/edm-model.js'
import type { EntryPart, EntryTemplate, ValuePart } from '../../../provider/entry-template.js'
import type { Column } from '../column.js'
import type { EntityTable } from '../entity-table.js'
import type { Sql } from '../sql-text.js'
import { joined, raw, sql, SqlParameter } from '../sql-text.js'
import { literalOf } from './literal-expression.js'
import type { Field, RenderDialect } from './render-dialect.js'
import { valueOf } from './value-expression.js'

/** Stand for what only a request knows, until there is one. */
export const rootMarker = new SqlParameter('root')
export const updatedMarker = new SqlParameter('updated')

/** The entry of a template for the rows of an alias. */
export interface EntryExpression {
  readonly text: Sql
  /** The columns that it looks at. */
  readonly columns: ReadonlySet<Column>
  readonly notation: 'json' | 'xml'
}

/** Where an entry is written. */
export interface EntryPlace {
  readonly table: EntityTable
  readonly alias: string
  readonly dialect: RenderDialect
  readonly doubleAsNumber: boolean
}

/** The quoted column that holds what an expansion shows, with its number in front. */
export function inlineColumn(expansion: number): string {
  return `"$inline${String(expansion)}"`
}

/** So many digits say in front of what is shown inline how many entities it is. */
const countDigits = 8

/** Makes of a template what the database computes for each row; undefined when that cannot be done. */
export function entryExpression(template: EntryTemplate, place: EntryPlace): EntryExpression | undefined {
  return new EntryCompiler(place, template.path).entry(template)
}

class EntryCompiler {
  private readonly columns = new Set<Column>()
  private notation: 'json' | 'xml' = 'json'

  constructor(
    private readonly place: EntryPlace,
    private readonly path: EntryTemplate['path'],
  ) {}

  entry({ parts }: EntryTemplate): EntryExpression | undefined {
    const pieces = this.pieces(parts)
    if (pieces === undefined) return undefined
    return { text: this.concatenation(pieces), columns: this.columns, notation: this.notation }
  }

  /** Texts that are the same for all are strings. */
  private pieces(parts: readonly EntryPart[]): (string | Sql)[] | undefined {
    const pieces: (string | Sql)[] = []
    for (const part of parts) {
      const made = this.piece(part)
      if (made === undefined) return undefined
      pieces.push(...made)
    }
    return pieces
  }

  private piece(part: EntryPart): readonly (string | Sql)[] | undefined {
    switch (part.kind) {
      case 'Text':
        return [part.text]
      case 'Root':
        return [this.marker(rootMarker)]
      case 'Updated':
        return [this.marker(updatedMarker)]
      case 'Declarations':
        return []
      case 'Path':
        return this.pathPieces()
      case 'Literal':
        return this.literal(part.property)
      case 'Value':
        return this.value(part)
      case 'InlineEntry': {
        const { found, isNone } = this.inline(part.expansion)
        const { opening, closing, whenNone } = part
        const entry = this.concatenation([opening, found, closing])
        return [sql`case when ${isNone} then ${this.quoted(whenNone)} else ${entry} end`]
      }
      case 'InlineFeed': {
        const { found, isNone } = this.inline(part.expansion)
        const [opening, none, closing] = [part.opening, part.openingOfNone, part.closing].map((parts) =>
          this.pieces(parts),
        )
        if (opening === undefined || none === undefined || closing === undefined) return undefined
        if (part.opening === part.openingOfNone) return [...opening, found, ...closing]
        const start = sql`case when ${isNone} then ${this.concatenation(none)} else ${this.concatenation(opening)} end`
        return [start, found, ...closing]
      }
      case 'Computed':
        return undefined
    }
  }

  private value(part: ValuePart): readonly (string | Sql)[] | undefined {
    const { dialect, doubleAsNumber } = this.place
    this.notation = part.notation
    const field = this.field(part.path)
    if (field === undefined || field.column.type !== part.type) return undefined
    const text = valueOf(part, field, dialect, doubleAsNumber)
    if (text === undefined) return undefined
    const { opening, value, closing } = text
    if (!field.column.nullable) return [opening, dialect.checked(raw(value)), closing]
    // What both begin with is the same for all.
    const common = commonPrefix(opening, part.whenNull)
    const whole = [opening.slice(common.length), raw(value), closing].filter((piece) => piece !== '')
    const whenNull = this.quoted(part.whenNull.slice(common.length))
    const either = sql`case when ${raw(field.reference)} is null then ${whenNull} else ${this.chain(whole)} end`
    return [common, dialect.checked(either)]
  }

  private pathPieces(): readonly (string | Sql)[] | undefined {
    const pieces: (string | Sql)[] = []
    for (const part of this.path) {
      const made = typeof part === 'string' ? [part] : this.literal(part)
      if (made === undefined) return undefined
      pieces.push(...made)
    }
    return pieces
  }

  private literal(property: Property): readonly Sql[] | undefined {
    const field = this.field([property])
    const literal = field && literalOf(field, this.place.dialect)
    if (field === undefined || literal === undefined) return undefined
    const { column, reference } = field
    const text = column.nullable ? `case when ${reference} is null then 'null' else ${literal} end` : literal
    return [this.place.dialect.checked(raw(text))]
  }

  private field(path: readonly Property[]): Field | undefined {
    const { table, alias } = this.place
    const column = table.column(path.map(({ name }) => name).join('/'))
    if (column === undefined) return undefined
    this.columns.add(column)
    return { column, reference: `${alias}.${column.quoted}`, isOfView: table.isView }
  }

  /** What is shown inline, without the number in front, and whether it is nothing. */
  private inline(expansion: number): { readonly found: Sql; readonly isNone: Sql } {
    const column = `${this.place.alias}.${inlineColumn(expansion)}`
    return {
      found: raw(`substr(${column}, ${String(countDigits + 1)})`),
      isNone: raw(this.place.dialect.isNone(column)),
    }
  }

  private marker(marker: SqlParameter): Sql {
    return sql`${marker}${raw(this.place.dialect.parameterType)}`
  }

  private quoted(text: string): Sql {
    return raw(this.place.dialect.quoted(text))
  }

  private concatenation(pieces: readonly (string | Sql)[]): Sql {
    const parts: Sql[] = []
    let text = ''
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        text += piece
        continue
      }
      if (text !== '') parts.push(this.quoted(text))
      text = ''
      parts.push(piece)
    }
    if (text !== '' || parts.length === 0) parts.push(this.quoted(text))
    return this.place.dialect.concatenation(parts)
  }

  /** The same of few. */
  private chain(pieces: readonly (string | Sql)[]): Sql {
    return joined(
      pieces.map((piece) => (typeof piece === 'string' ? this.quoted(piece) : piece)),
      ' || ',
    )
  }
}

function commonPrefix(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

/** The number of all entities that are shown inline of a row. */
export function inlineTotal(alias: string, expansions: number): string {
  const counts = Array.from(
    { length: expansions },
    (_, index) => `cast(substr(${alias}.${inlineColumn(index)}, 1, ${String(countDigits)}) as integer)`,
  )
  return counts.join(' + ')
}

/** The columns and the expansions of a row, under names by which an {@link EntryExpression} finds them. */
export function sourceColumns(alias: string, columns: Iterable<Column>, inline: readonly Sql[]): Sql {
  const own = [...columns].map(({ quoted }) => raw(`${alias}.${quoted} as ${quoted}`))
  const shown = inline.map((one, index) => sql`${one} as ${raw(inlineColumn(index))}`)
  return joined([...own, ...shown], ', ')
}
