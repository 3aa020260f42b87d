import { BoundedCache } from '../../util/bounded-cache.js'
import type { SqlDialect } from './dialect.js'
import type { Statement } from './sql-text.js'
import { MAX_CACHED_STATEMENT_LENGTH, Sql, SqlParameter, statementOf } from './sql-text.js'

/** The maximum number of templates of an entity set: forms of a client send the same few sets of properties. */
const MAX_TEMPLATES = 50

/** Separates the parts of a cache key, and represents a parameter: no SQL contains it. */
const SEPARATOR = '\0'

/** The text of statements that differ only in the values of their parameters. */
interface Template {
  readonly text: string
  /** The index in the parameters of the parts for each placeholder; undefined if both are in the same order. */
  readonly places: readonly number[] | undefined
}

/**
 * Renders statements of a few kinds, and caches their text: rendering it again, and finding the prepared statement for a
 * new string, would take longer than collecting the parameters.
 */
export class StatementTemplates {
  private readonly templates = new BoundedCache<string, Template>(MAX_TEMPLATES)

  constructor(private readonly dialect: SqlDialect) {}

  /**
   * Returns a statement.
   *
   * @param kind everything that determines the text of the statement, except the text of its parts
   * @param parts the SQL that depends on values. A value can also determine its text, which is part of the cache key
   * @param build returns the whole statement, which has no other parameters than the parts
   */
  statement(kind: string, parts: readonly Sql[], build: () => Sql): Statement {
    const parameters: unknown[] = []
    let key = kind
    for (const part of parts) key = addPart(key + SEPARATOR, part, parameters)
    const template = this.templates.get(key) ?? this.add(key, parts, build())
    const { text, places } = template
    return { text, parameters: places === undefined ? parameters : places.map((place) => parameters[place]) }
  }

  private add(key: string, parts: readonly Sql[], statement: Sql): Template {
    const { text } = statementOf(statement, (index) => this.dialect.placeholder(index))
    const given = parts.flatMap(parametersOf)
    const used = parametersOf(statement)
    const places = used.map((one) => given.indexOf(one))
    if (places.includes(-1)) throw new TypeError(`A parameter is in none of the parts of: ${text}`)
    const isInOrder = used.length === given.length && used.every((one, index) => one === given[index])
    const template = { text, places: isInOrder ? undefined : places }
    if (text.length <= MAX_CACHED_STATEMENT_LENGTH) this.templates.set(key, template)
    return template
  }
}

/** Adds the text of a part to a key, and its values to the parameters. */
function addPart(start: string, { fragments }: Sql, parameters: unknown[]): string {
  let key = start
  for (const fragment of fragments) {
    if (typeof fragment === 'string') key += fragment
    else if (fragment instanceof Sql) key = addPart(key, fragment, parameters)
    else {
      parameters.push(fragment.value)
      key += SEPARATOR
    }
  }
  return key
}

function parametersOf({ fragments }: Sql): readonly SqlParameter[] {
  return fragments.flatMap((fragment) => {
    if (fragment instanceof SqlParameter) return [fragment]
    return fragment instanceof Sql ? parametersOf(fragment) : []
  })
}
