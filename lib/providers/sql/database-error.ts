/**
 * Why a statement failed: `exclusion` if values exclude those of another row, `privilege` if the role or a policy does
 * not allow the change, `readOnly` if the database accepts no changes, `standby` if it accepts none until it is promoted,
 * `again` if a retry may succeed, `away` if the database cannot be reached, `slow` if the statement timeout was exceeded, `unsupported` if the database lacks a feature.
 */
export interface DatabaseError {
  readonly kind:
    | 'unique'
    | 'exclusion'
    | 'foreignKey'
    | 'notNull'
    | 'check'
    | 'value'
    | 'privilege'
    | 'readOnly'
    | 'standby'
    | 'again'
    | 'away'
    | 'slow'
    | 'unsupported'
  /** The names of the columns concerned, or strings that contain them. */
  readonly columns: readonly string[]
  /** True if a value is out of the range of its type, which is mostly a number. */
  readonly isOutOfRange?: boolean
  /** True for a primary key whose columns the error does not name. */
  readonly isPrimaryKey?: boolean
  /**
   * True when the connection was lost while the statement may have been executed; false when it certainly was not.
   */
  readonly isOutcomeUnknown?: boolean
}
