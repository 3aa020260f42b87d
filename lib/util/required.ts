/**
 * Returns a value that cannot be missing where it is used, such as the column of a key property. A default would hide the
 * bug if it is missing after all.
 *
 * @throws TypeError if the value is null or undefined
 */
export function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new TypeError('A value that must exist is missing.')
  return value
}
