import type { EntitySet } from '../../edm/edm-model.js'
import type { Column } from './column.js'
import type { InvalidValues } from './invalid-values.js'
import type { Sql } from './sql-text.js'

/** The table of an entity set. */
export interface MappedTable {
  readonly set: EntitySet
  /** The quoted name. */
  readonly quoted: string
  /** The table expression for reads: the table name, or a subquery that replaces invalid values by null. */
  readonly source: string
  /** The table expression for reads that lock rows. */
  readonly lockedSource: string
  /** Reports invalid values that are read as null; undefined if invalid values are errors. */
  readonly invalidValues?: InvalidValues | undefined
  /** Rows of views are not locked. */
  readonly isView: boolean
  /** True if inserts of existing keys fail, because the table does not support `on conflict`. */
  readonly failsWhenTaken: boolean
  /** True if triggers may change rows after `returning`. */
  readonly hasTriggers: boolean
  /**
   * True if triggers or rules may drop a change without an error. They may have changed other rows, so that a statement
   * that changes no row must not commit by itself.
   */
  readonly dropsChanges: boolean
  /** All columns that can be read, by name, also those that are not in the model. */
  readonly storedColumns: ReadonlyMap<string, unknown>
  /** True if only `returning` counts changed rows, and updates have no alias. */
  readonly changesByTriggers: boolean
  /** In the order of the model, including those of derived types. */
  readonly columns: readonly Column[]
  readonly keyColumns: readonly Column[]
  /** False if no constraint of the database prevents rows with equal keys. */
  readonly isKeyUnique: boolean
  /** The name of the row id of a table of SQLite. */
  readonly rowId: string | undefined
  /** Foreign keys that the database enforces. */
  readonly constraints: readonly TableConstraint[]
  /**
   * The columns to which foreign keys of the database refer, also those of tables that no entity set has: changes of them
   * can cascade.
   */
  readonly referencedColumns: readonly string[]
  /** The columns of foreign keys, and those to which foreign keys refer. */
  readonly joinColumns: ReadonlySet<Column>
  /** The column with the type of a row; undefined if there are no derived types. */
  readonly typeColumn: TypeColumn | undefined
  readonly media: MediaColumns | undefined
  /** @param path names of properties, joined by `/` */
  column(path: string): Column | undefined
}

/** A foreign key that the database enforces. */
export interface TableConstraint {
  readonly columns: readonly string[]
  /** The quoted name of the referenced table. */
  readonly target: string
  readonly targetColumns: readonly string[]
  readonly isDeferred: boolean
}

export interface TypeColumn {
  readonly quoted: string
  /** Qualified names of types by the value of the column. */
  readonly typeNames: ReadonlyMap<string, string>
}

export interface MediaColumns {
  readonly content: string
  readonly contentType: string
  /** Undefined if file names are not stored. */
  readonly fileName: string | undefined
  /** The values of an entity without a media resource: null, or empty if the column is not nullable. */
  readonly none: MediaColumnValues
  /** The columns that an insert must set, with their values of `none`. */
  readonly required: ReadonlyMap<string, Sql>
}

/** Values of {@link MediaColumns}. */
export interface MediaColumnValues {
  readonly content: Sql
  readonly contentType: Sql
  /** Undefined: unchanged. */
  readonly fileName: Sql | undefined
}

/** How a navigation property is joined. */
export interface MappedRelation {
  readonly target: MappedTable
  /** Columns of the source, and the equal columns of the target or of the link table. */
  readonly own: readonly Column[]
  readonly other: readonly string[]
  /** The columns of the target; those of the source for a link table, whose columns have the same collations. */
  readonly compared: readonly Column[]
  /** The columns of the key to which the others refer; those of the source for a link table. */
  readonly keys: readonly Column[]
  /** The link table; undefined for a foreign key. */
  readonly link: LinkStep | undefined
  readonly isCollection: boolean
}

export interface LinkStep {
  /** The quoted name. */
  readonly table: string
  /** True if inserts of existing links fail, because the table does not support `on conflict`. */
  readonly failsWhenTaken: boolean
  /** Quoted columns of the link table, and the equal columns of the target. */
  readonly columns: readonly string[]
  readonly targetColumns: readonly Column[]
}

/** Returns true if updates of rows can cascade. Updates do not change keys. */
export function updatesCascade({ keyColumns, referencedColumns }: MappedTable): boolean {
  return referencedColumns.some((column) => keyColumns.every(({ name }) => name !== column))
}
