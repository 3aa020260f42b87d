import type { EntitySet } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import type { Column } from './column.js'
import type { InvalidValues } from './invalid-values.js'

/** The table of an entity set, with the column of each simple property. */
export interface EntityTable {
  readonly set: EntitySet
  /** The name as it stands in statements. */
  readonly quoted: string
  /** The table expression for reads: the table name, or a subquery that replaces invalid values by null. */
  readonly source: string
  /** Reports invalid values that are read as null; undefined if invalid values are errors. */
  readonly invalidValues?: InvalidValues | undefined
  /** Whether it is a view, whose rows are not locked. */
  readonly isView: boolean
  /** True where no insert can be told to pass over keys that are taken. */
  readonly failsWhenTaken: boolean
  /** In the order of the model, those of derived types included. */
  readonly columns: readonly Column[]
  readonly keyColumns: readonly Column[]
  /** Foreign keys that the database enforces. */
  readonly constraints: readonly TableConstraint[]
  /** Columns of foreign keys and of what others refer to, by which navigation properties are followed. */
  readonly joinColumns: ReadonlySet<Column>
  /** The column that names the type of a row, where there are derived types. */
  readonly typeColumn: TypeColumn | undefined
  readonly media: MediaColumns | undefined
  /** @param path names of properties, joined by `/` */
  column(path: string): Column | undefined
}

/** A foreign key that the database enforces. */
export interface TableConstraint {
  readonly columns: readonly string[]
  /** The name of the other table as it stands in statements. */
  readonly target: string
  readonly targetColumns: readonly string[]
}

export interface TypeColumn {
  readonly quoted: string
  /** Qualified names of types by what stands in the column. */
  readonly typeNames: ReadonlyMap<string, string>
}

export interface MediaColumns {
  readonly content: string
  readonly contentType: string
  /** Undefined where names are not stored. */
  readonly fileName: string | undefined
}

/** How rows of a table find those at the other end of a navigation property. */
export interface Relation {
  readonly target: EntityTable
  /** Columns of the table itself, and the columns of the target, or of the link table, that hold the same. */
  readonly own: readonly Column[]
  readonly other: readonly string[]
  /** The link table, where there is no foreign key. */
  readonly link: LinkStep | undefined
  readonly isCollection: boolean
}

export interface LinkStep {
  /** The quoted name. */
  readonly table: string
  /** True where no insert can be told to pass over links that are there. */
  readonly failsWhenTaken: boolean
  /** Quoted columns of the link table and the columns of the target that hold the same. */
  readonly columns: readonly string[]
  readonly targetColumns: readonly Column[]
}

/** The values of some columns of a row. */
export function valuesOf(row: Row, columns: readonly Column[]): readonly unknown[] {
  return columns.map(({ path }) => path.reduce<unknown>((value, name) => (value as Row | null)?.[name], row))
}
