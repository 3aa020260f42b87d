// The package exists as ES modules and as CommonJS: a filter made by one must be known to the other.
const brand = Symbol.for('express-odata-v2.FilterTemplate')

/**
 * A filter with values in it that are never read as text. Made by {@link filter}.
 */
export class FilterTemplate {
  /**
   * @param source text in the syntax of `$filter`, with `\0n\0` in the place of value n
   * @param values JavaScript values
   */
  constructor(
    readonly source: string,
    readonly values: readonly unknown[],
  ) {
    Object.defineProperty(this, brand, { value: true })
  }

  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value
  }
}

/**
 * A filter in the syntax of `$filter` whose embedded values become literals of the type that their place needs, and
 * which can therefore not be bent by what the values hold. Filters can be embedded in filters.
 *
 * @param strings the text of the filter, as a tag is given it
 * @param values JavaScript values, or filters
 * @returns what `authorize` may return
 * @throws TypeError for undefined, which is nearly always a value that somebody forgot
 * @example
 * const authorize: Authorize<{ userId: string }> = (operation, { userId }) => filter`Owner eq ${userId} or Public`
 * @spec MS-ODATA 2.2.3.6.1.1.5
 */
export function filter(strings: TemplateStringsArray, ...values: unknown[]): FilterTemplate {
  let source = strings[0] ?? ''
  const collected: unknown[] = []
  for (const [index, value] of values.entries()) {
    if (value instanceof FilterTemplate) {
      const offset = collected.length
      const inner = value.source.replace(
        /\0(\d+)\0/g,
        (_, number: string) => `\0${Number(number) + offset}\0`,
      )
      source += `(${inner})`
      collected.push(...value.values)
    } else if (value === undefined) {
      // Taken for null it would let everybody see what belongs to nobody.
      throw new TypeError(
        `filter: the value behind '${source.slice(-50)}' is undefined. Write null when null is meant.`,
      )
    } else {
      source += `\0${collected.length}\0`
      collected.push(value)
    }
    source += strings[index + 1] ?? ''
  }
  return new FilterTemplate(source, collected)
}
