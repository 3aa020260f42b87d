/** SQL with its parameters. Values of requests are always parameters, and never part of the text. */
export class Sql {
  constructor(readonly fragments: readonly SqlFragment[]) {}
}

export class SqlParameter {
  constructor(readonly value: unknown) {}
}

type SqlFragment = string | SqlParameter | Sql

/** Builds SQL from a template: sql`${left} = ${right}`. */
export function sql(strings: TemplateStringsArray, ...fragments: readonly (Sql | SqlParameter)[]): Sql {
  const all: SqlFragment[] = []
  for (let index = 0; index < strings.length; index++) {
    const text = strings[index]
    const fragment = fragments[index]
    if (text !== undefined && text !== '') all.push(text)
    if (fragment !== undefined) all.push(fragment)
  }
  return new Sql(all)
}

/** Returns trusted text, such as a quoted name or a number. */
export function raw(text: string): Sql {
  return new Sql([text])
}

export function parameter(value: unknown): Sql {
  return new Sql([new SqlParameter(value)])
}

/** Joins SQL with a separator. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  const fragments: SqlFragment[] = []
  for (const part of parts) {
    if (fragments.length > 0) fragments.push(separator)
    fragments.push(part)
  }
  return new Sql(fragments)
}

/** Returns the conjunction of conditions; undefined without conditions. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  const given = conditions.filter((one) => one !== undefined)
  return given.length === 0 ? undefined : joined(groupsOf(given), ' and ')
}

/** SQLite rejects expressions that are nested more than 1,000 levels deep, and nests each `and` of `a and b and c`. */
const MAX_CHAIN = 100

function groupsOf(conditions: readonly Sql[]): readonly Sql[] {
  if (conditions.length <= MAX_CHAIN) return conditions
  const groups: Sql[] = []
  for (let index = 0; index < conditions.length; index += MAX_CHAIN) {
    groups.push(sql`(${joined(conditions.slice(index, index + MAX_CHAIN), ' and ')})`)
  }
  return groups
}

export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/**
 * Renders a statement, with placeholders for its parameters.
 *
 * @param placeholder returns the placeholder of the parameter at a one-based index
 */
export function statementOf(fragment: Sql, placeholder: (index: number) => string): Statement {
  const parameters: unknown[] = []
  let text = ''
  const render = ({ fragments }: Sql): void => {
    for (const one of fragments) {
      if (typeof one === 'string') text += one
      else if (one instanceof Sql) render(one)
      else text += placeholder(parameters.push(one.value))
    }
  }
  render(fragment)
  return { text, parameters }
}

/**
 * Longer statements, in characters, are not cached: prepared statements take several times the memory of their text, and
 * filters with a thousand values rarely repeat.
 */
export const MAX_CACHED_STATEMENT_LENGTH = 50_000
