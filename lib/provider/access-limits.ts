/** What the service may do for providers that cannot do it themselves. */
export interface AccessLimits {
  /** How many rows may be looked at to filter, sort or count. */
  readonly scannedRows: number
  /** How many rows may be held at once to sort them. */
  readonly sortedRows: number
}
