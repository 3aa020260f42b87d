import type { Kysely } from 'kysely'
import { databases } from './dialects/databases.js'
import type { KnownDialect } from './dialects/known-dialect.js'

/** A Kysely instance with any types of tables. */
export type AnyKysely = Pick<Kysely<never>, 'destroy' | 'isTransaction'>

/** Returns the dialect of a database. @throws TypeError for unsupported databases */
export function dialectOf(db: AnyKysely): KnownDialect {
  const given = db as Partial<Kysely<unknown>> | undefined
  if (typeof given?.getExecutor !== 'function') {
    throw new TypeError('The database must be a Kysely instance: new Kysely({ dialect }).')
  }
  const { adapter } = given.getExecutor()
  const known = Object.values(databases)
  // The application may have another copy of Kysely, and adapters may be subclasses.
  for (let prototype: unknown = adapter; prototype !== null; prototype = Object.getPrototypeOf(prototype)) {
    const { name } = (prototype as object).constructor
    const found = known.find(({ adapterClass }) => adapterClass === name)
    if (found !== undefined) return found
  }
  const titles = known
    .map(({ title }) => title)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')
  throw new TypeError(
    `sqlProvider: the dialect of '${adapter.constructor.name}' is not supported. Supported are ${titles}.`,
  )
}
