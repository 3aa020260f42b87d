import type { WireRows } from '../../../wire/wire-rows.js'
import type { CastField } from './row-locator.js'
import { RowLocator } from './row-locator.js'

/**
 * The options of a query of `mysql2` whose rows stay as they are on the wire. Kysely hands the text of a statement to
 * the driver as it is, so this is also the text. A `log` function of the application may call the methods of strings on
 * it.
 */
export class MysqlWireQuery {
  readonly rowsAsArray = true
  private readonly locator: RowLocator

  /** @param findsAhead see {@link RowLocator} */
  constructor(
    readonly sql: string,
    findsAhead = true,
  ) {
    this.locator = new RowLocator(findsAhead)
  }

  /** Called by the driver for each cell. The driver ignores its result. */
  readonly typeCast = (field: CastField): void => this.locator.add(field)

  /** The rows, after the query has ended. */
  get rows(): WireRows {
    return this.locator.rows()
  }

  again(): MysqlWireQuery | undefined {
    return this.locator.hasOtherRows ? new MysqlWireQuery(this.sql, false) : undefined
  }

  get length(): number {
    return this.sql.length
  }

  toString(): string {
    return this.sql
  }

  toJSON(): string {
    return this.sql
  }
}

// The methods of strings work on everything that has a string.
Object.setPrototypeOf(MysqlWireQuery.prototype, String.prototype)
