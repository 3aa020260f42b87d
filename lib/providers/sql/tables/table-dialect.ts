import type { ColumnPlan } from './table-plan.js'

/**
 * The databases for which {@link createTables} writes statements.
 *
 * @example const database: TableDatabase = 'postgres'
 */
export type TableDatabase = 'sqlite' | 'postgres' | 'mysql' | 'mariadb'

/** How tables of one kind of database are created. */
export interface TableDialect {
  /** Returns the types of the columns of a table, in their order: `varchar(40)`. */
  columnTypes(columns: readonly ColumnPlan[]): readonly string[]
  /** The clause after the type of an integer that the database generates; undefined if the key of the table needs it. */
  readonly identity: string | undefined
  /** The type and clauses of a key of one integer that the database generates, if {@link identity} is undefined. */
  readonly identityKey?: string
  /** The expression of a new GUID. */
  readonly newGuid: string
  /** Returns the literal of a string. */
  readonly text: (value: string) => string
  /** Returns the literal of bytes. @param hexadecimal two digits for each byte */
  readonly bytes: (hexadecimal: string) => string
  /** Returns the clause for a default value. @param type of the column */
  readonly defaultClause: (literal: string, type: string) => string
  /** True if columns of Edm.DateTimeOffset store an instant; else they store the time in UTC. */
  readonly hasZones: boolean
  /** Clauses after the columns of a table. */
  readonly tableOptions: string
  /** The maximum number of characters of a name; undefined: not limited. */
  readonly maxNameLength: number | undefined
  /** True if names that differ only in case are the same. */
  readonly ignoresCase: boolean
  /** True if foreign keys can only be declared with their table. */
  readonly hasInlineReferences: boolean
  /** True if foreign keys have an index without further statements. */
  readonly indexesReferences: boolean
  /** How comments are stored: by statements of their own, by a clause, or not at all. */
  readonly comments: 'statements' | 'clauses' | undefined
  /** Returns the clause of `alter table` that changes the type of a column. Absent: types cannot be changed. */
  changeType?(column: string, type: string, definition: string): string
  /** Returns the clause of `alter table` that lets a column contain null. Absent: this cannot be changed. */
  allowNull?(column: string, definition: string): string
  /** True if a new column of an existing table cannot have an expression as its default. */
  readonly addsConstantsOnly?: boolean
  /** True if a changed column loses its default and other clauses that are not repeated. */
  readonly losesClauses: boolean
}
