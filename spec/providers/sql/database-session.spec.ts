import SQLite from 'better-sqlite3'
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'
import type { AnyKysely } from '../../../lib/providers/sql/dialect-of.js'
import type { SessionStatement } from '../../../lib/providers/sql/database-session.js'
import { sessionStatementOf } from '../../../lib/providers/sql/database-session.js'
import { postgres } from '../../../lib/providers/sql/dialects/postgres/postgres.js'
import { statementOf } from '../../../lib/providers/sql/sql-text.js'
import type { SqlProviderOptions } from '../../../lib/sql.js'
import { sqlProvider } from '../../../lib/sql.js'
import { deltaModel } from '../../support/delta-model.js'

const onPostgres = new Kysely<never>({ dialect: new PostgresDialect({ pool: {} as never }) })
const onSqlite = new Kysely<never>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
const onMysql = new Kysely<never>({ dialect: new MysqlDialect({ pool: {} as never }) })

function refusal(db: AnyKysely, options: Partial<SqlProviderOptions>): string {
  try {
    sqlProvider(deltaModel, db, { functions: { Cheap: () => [] }, session: () => ({}), ...options } as never)
    return ''
  } catch (error) {
    return String(error)
  }
}

function statementFor(session: unknown, isReadOnly = true): ReturnType<typeof statementOf> {
  const create = sessionStatementOf({ session: () => session as never }, postgres) as SessionStatement
  return statementOf(create({ context: undefined }, isReadOnly), (index) => `$${String(index)}`)
}

describe('The option session', () => {
  it('MUST be refused on databases that cannot limit settings to a transaction', () => {
    expect(refusal(onSqlite, {})).toContain("'session' requires PostgreSQL, not sqlite")
    expect(refusal(onMysql, {})).toContain("'session' requires PostgreSQL, not mysql")
  })

  it('MUST be refused together with options whose results do not depend on the caller', () => {
    expect(refusal(onPostgres, { changeTracking: true })).toContain(
      "'session' cannot be used with 'changeTracking'",
    )
    expect(refusal(onPostgres, { snapshotVersion: true })).toContain(
      "'session' cannot be used with 'snapshotVersion'",
    )
    expect(refusal(onPostgres, { session: {} as never })).toContain('session must be a function')
  })

  it('MUST set role and settings as parameters, for the transaction only', () => {
    expect(statementFor({ role: `o'"x`, settings: { 'app.tenant': "'; drop table x" } }, false)).toEqual({
      text: 'select set_config($1, $2, true), set_config($3, $4, true)',
      parameters: ['app.tenant', "'; drop table x", 'role', `o'"x`],
    })
    expect(statementFor({})).toEqual({
      text: 'select set_config($1, $2, true)',
      parameters: ['transaction_read_only', 'on'],
    })
    expect(statementFor({}, false).parameters).toEqual([])
  })

  it.each([
    [{ role: 'none' }, "not 'none'"],
    [{ role: '' }, 'the role must be'],
    [{ role: 'ä'.repeat(32) }, '1 to 63 bytes'],
    [{ role: 'a\0b' }, 'the role must be'],
    [{ role: null }, 'the role must be'],
    [{ settings: { tenant: 'a' } }, "'tenant' is not the name of a setting"],
    [{ settings: { 'App.tenant': 'a' } }, "'App.tenant' is not the name of a setting"],
    [{ settings: { 'app.x = 1': 'a' } }, 'is not the name of a setting'],
    [{ settings: { 'app.tenant': 1 } }, "'app.tenant' must be a string"],
    [{ settings: { 'app.tenant': undefined } }, "'app.tenant' must be a string"],
    [{ settings: { 'app.tenant': 'a\0' } }, 'without the character NUL'],
    [{ Role: 'a' }, "'Role' is not a member"],
    [undefined, 'must return an object'],
    [Promise.resolve({}), 'not a promise'],
  ])('MUST refuse %j', (session, message) => {
    expect(() => statementFor(session)).toThrow(message)
  })

  it('MUST refuse a call without its context', () => {
    const create = sessionStatementOf({ session: () => ({}) }, postgres) as SessionStatement
    expect(() => create({} as never, true)).toThrow('pass the call itself')
  })
})
