import type { SqlPiece } from '../sql-text.js'
import { Sql, SqlParameter } from '../sql-text.js'

/** The same statement with values in the place of parameters that stand for them. */
export function withMarkers(statement: Sql, values: ReadonlyMap<SqlParameter, unknown>): Sql {
  const pieces: SqlPiece[] = []
  let text = ''
  const add = (piece: SqlPiece): void => {
    if (typeof piece === 'string') {
      text += piece
    } else if (piece instanceof Sql) {
      piece.pieces.forEach(add)
    } else {
      pieces.push(text, values.has(piece) ? new SqlParameter(values.get(piece)) : piece)
      text = ''
    }
  }
  add(statement)
  pieces.push(text)
  return new Sql(pieces)
}
