/**
 * Pieces of SQL with their parameters, put together before anybody has counted these. Values never become text: what
 * comes from a request is always a parameter.
 */
export class Sql {
  constructor(readonly pieces: readonly SqlPiece[]) {}
}

/** A value that is sent beside the text of a statement. */
export class SqlParameter {
  constructor(readonly value: unknown) {}
}

export type SqlPiece = string | SqlParameter | Sql

/** SQL in which other pieces stand: sql`${left} = ${right}`. */
export function sql(strings: TemplateStringsArray, ...pieces: readonly (Sql | SqlParameter)[]): Sql {
  const all: SqlPiece[] = []
  strings.forEach((text, index) => {
    if (text !== '') all.push(text)
    const piece = pieces[index]
    if (piece !== undefined) all.push(piece)
  })
  return new Sql(all)
}

/** Text of our own making, such as a quoted name or a number. */
export function raw(text: string): Sql {
  return new Sql([text])
}

export function parameter(value: unknown): Sql {
  return new Sql([new SqlParameter(value)])
}

/** Pieces with a text between each two. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  const pieces: SqlPiece[] = []
  parts.forEach((part, index) => {
    if (index > 0) pieces.push(separator)
    pieces.push(part)
  })
  return new Sql(pieces)
}

/** Conditions that must all hold; undefined when there is none. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const given = conditions.filter((one) => one !== undefined)
  return given.length === 0 ? undefined : joined(groupsOf(given), ' and ')
}

/** SQLite refuses trees of more than 1,000 operators in height, and reads `a and b and c` as one such tree. */
const MAX_CHAIN = 100

function groupsOf(conditions: readonly Sql[]): readonly Sql[] {
  if (conditions.length <= MAX_CHAIN) return conditions
  const groups: Sql[] = []
  for (let index = 0; index < conditions.length; index += MAX_CHAIN) {
    groups.push(sql`(${joined(conditions.slice(index, index + MAX_CHAIN), ' and ')})`)
  }
  return groups
}

/** What a driver is given. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/**
 * The text of a statement and its parameters in order.
 *
 * @param placeholder how the parameter at a place, counted from one, is written
 */
export function statementOf(piece: Sql, placeholder: (index: number) => string): Statement {
  const parameters: unknown[] = []
  let text = ''
  const write = ({ pieces }: Sql): void => {
    for (const one of pieces) {
      if (typeof one === 'string') text += one
      else if (one instanceof Sql) write(one)
      else text += placeholder(parameters.push(one.value))
    }
  }
  write(piece)
  return { text, parameters }
}

/**
 * Longer statements, in characters, are not cached as prepared statements: they take several times the memory of their text,
 * and filters with a thousand values rarely repeat.
 */
export const MAX_CACHED_STATEMENT_LENGTH = 50_000
