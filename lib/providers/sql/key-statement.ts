import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import type { Statement } from './sql-text.js'
import { Sql, SqlParameter, statementOf } from './sql-text.js'

/** A statement for the key of an entity, whose text is rendered once and reused with the parameters of other keys. */
export class KeyStatement {
  /** @param places the index in the key for each parameter */
  private constructor(
    private readonly columns: readonly Column[],
    private readonly dialect: SqlDialect,
    private readonly text: string,
    private readonly places: readonly number[],
  ) {}

  /**
   * @param build returns the statement for the stored values of a key
   * @returns undefined if a value is not a parameter but part of the text
   */
  static of(
    columns: readonly Column[],
    dialect: SqlDialect,
    key: readonly unknown[],
    build: (stored: readonly Sql[]) => Sql,
  ): KeyStatement | undefined {
    const stored = columns.map((column, index) => dialect.stored(column, key[index]))
    const values = stored.map(parameterIn)
    if (values.includes(undefined)) return undefined
    const places: number[] = []
    const add = ({ fragments }: Sql): void => {
      for (const fragment of fragments) {
        if (fragment instanceof Sql) add(fragment)
        else if (fragment instanceof SqlParameter) places.push(values.indexOf(fragment))
      }
    }
    const statement = build(stored)
    add(statement)
    const { text } = statementOf(statement, (index) => dialect.placeholder(index))
    return new KeyStatement(columns, dialect, text, places)
  }

  for(key: readonly unknown[]): Statement {
    const { columns, dialect, text, places } = this
    const values = columns.map((column, index) =>
      // Nothing equals null.
      dialect.truncates?.(column, key[index]) === true
        ? null
        : parameterIn(dialect.stored(column, key[index]))?.value,
    )
    return { text, parameters: places.map((place) => values[place]) }
  }
}

/** Returns the only parameter of a stored value, without casts around it. */
function parameterIn({ fragments }: Sql): SqlParameter | undefined {
  for (const fragment of fragments) {
    if (fragment instanceof SqlParameter) return fragment
    if (fragment instanceof Sql) return parameterIn(fragment)
  }
  return undefined
}
