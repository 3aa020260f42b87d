import type { Column } from './column.js'
import type { SqlDialect } from './dialect.js'
import type { SqlPiece } from './sql-text.js'
import { Sql, SqlParameter } from './sql-text.js'

/** A statement about one key, which is put together once: for other keys only its parameters are others. */
export class KeyStatement {
  private constructor(
    private readonly columns: readonly Column[],
    private readonly dialect: SqlDialect,
    private readonly pieces: readonly (string | number)[],
  ) {}

  /**
   * @param make the statement for the stored values of a key
   * @returns undefined when a value is not one parameter, but text
   */
  static of(
    columns: readonly Column[],
    dialect: SqlDialect,
    key: readonly unknown[],
    make: (stored: readonly Sql[]) => Sql,
  ): KeyStatement | undefined {
    const stored = columns.map((column, index) => dialect.stored(column, key[index]))
    const parameters = stored.map(parameterIn)
    if (parameters.includes(undefined)) return undefined
    const pieces: (string | number)[] = []
    const add = (piece: SqlPiece): void => {
      if (typeof piece === 'string') pieces.push(piece)
      else if (piece instanceof Sql) piece.pieces.forEach(add)
      else pieces.push(parameters.indexOf(piece))
    }
    add(make(stored))
    return new KeyStatement(columns, dialect, joinTexts(pieces))
  }

  for(key: readonly unknown[]): Sql {
    const { columns, dialect } = this
    const parameters = columns.map((column, index) => parameterIn(dialect.stored(column, key[index])))
    return new Sql(
      this.pieces.map((piece) => (typeof piece === 'string' ? piece : (parameters[piece] ?? none))),
    )
  }
}

const none = new SqlParameter(null)

/** A value is stored as one parameter, whatever stands around it. */
function parameterIn({ pieces }: Sql): SqlParameter | undefined {
  for (const piece of pieces) {
    if (piece instanceof SqlParameter) return piece
    if (piece instanceof Sql) return parameterIn(piece)
  }
  return undefined
}

function joinTexts(pieces: readonly (string | number)[]): (string | number)[] {
  const joined: (string | number)[] = []
  for (const piece of pieces) {
    const before = joined.at(-1)
    if (typeof piece === 'string' && typeof before === 'string') joined.splice(-1, 1, before + piece)
    else joined.push(piece)
  }
  return joined
}
