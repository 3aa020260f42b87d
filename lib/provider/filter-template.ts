// The package exists as ES modules and as CommonJS: each must recognize filters of the other.
const brand = Symbol.for('express-odata-v2.FilterTemplate')

/**
 * A filter with embedded values, which are never parsed. Created by the tag {@link filter}.
 *
 * @example const ownedBy = (userId: string): FilterTemplate => filter`Owner eq ${userId}`
 */
export class FilterTemplate {
  /**
   * @param source a filter in the syntax of `$filter`, with `\0n\0` as the placeholder of value n
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
 * Creates a filter in the syntax of `$filter`, as a template tag. Embedded values become literals of the required
 * type and are never parsed, which prevents injection. Filters can be embedded in filters.
 *
 * @param strings the static parts of the filter
 * @param values JavaScript values, or filters
 * @returns a filter that `authorize` may return
 * @throws TypeError for undefined, which is usually a missing value
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
      // As null, it would grant everyone access to entities without an owner.
      throw new TypeError(
        `filter: the value after '${source.slice(-50)}' is undefined. Use null to compare with null.`,
      )
    } else {
      source += `\0${collected.length}\0`
      collected.push(value)
    }
    source += strings[index + 1] ?? ''
  }
  return new FilterTemplate(source, collected)
}
