import type { Kysely } from 'kysely'
import { CompiledQuery } from 'kysely'
import { didYouMean } from '../../errors/suggestions.js'
import type { AnyKysely } from './dialect-of.js'
import { dialectOf } from './dialect-of.js'

/**
 * Options of {@link keepRequests}.
 *
 * @example const options: KeepRequestsOptions = { print: true }
 */
export interface KeepRequestsOptions {
  /** If true, the statements are returned, for a migration tool, and not executed. Default: false. */
  readonly print?: boolean | undefined
}

/**
 * Creates the table `odata_requests`, if it does not exist, in which {@link sqlProvider} stores the responses of services
 * with `repeatableRequests`. Call it as a migration. Services remove expired rows.
 *
 * @param db a Kysely instance on SQLite, PostgreSQL, MySQL or MariaDB, with the rights of a migration
 * @param options whether the statements are only returned
 * @returns the statements
 * @throws TypeError for other databases and unknown options
 * @example
 * await keepRequests(db)
 * app.use('/shop', odataV2(model, sqlProvider(model, db), { repeatableRequests: { caller: () => '' } }))
 * @spec OASIS Repeatable Requests 1.0
 */
export async function keepRequests(
  db: AnyKysely,
  options: KeepRequestsOptions = {},
): Promise<readonly string[]> {
  for (const name of Object.keys(options)) {
    if (name !== 'print')
      throw new TypeError(`keepRequests: there is no option '${name}'.${didYouMean(name, ['print'])}`)
  }
  const { dialect, title } = dialectOf(db)
  if (dialect.writes === undefined) throw new TypeError(`keepRequests: rows of ${title} cannot be changed.`)
  const statements = dialect.writes.requestTable
  if (options.print !== true) {
    for (const text of statements) await (db as Kysely<unknown>).executeQuery(CompiledQuery.raw(text, []))
  }
  return statements
}
