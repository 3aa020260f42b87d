/** How a kind of database explains statements. */
export interface StatementPlans {
  /** The start of a statement that returns the plan of the statement after it. */
  readonly prefix: string
  /** Reads the rows of such a statement. */
  readonly read: (rows: readonly Readonly<Record<string, unknown>>[]) => StatementPlan
}

/** The plan of a statement. */
export interface StatementPlan {
  /** One step per line. */
  readonly lines: readonly string[]
  /** True if a table is read without an index, or rows are sorted without one. */
  readonly needsIndex: boolean
}
