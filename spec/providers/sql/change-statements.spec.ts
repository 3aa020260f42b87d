import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { cacheStatements } from '../../../lib/providers/sql/dialects/sqlite/cache-statements.js'
import { describeChangeStatements } from '../../support/sql/change-statements.js'
import { openLogged } from '../../support/sql/logged-database.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'

describeChangeStatements('postgres', () => openLogged('postgres'), {
  'MERGE without ETag': 1,
  'MERGE with the ETag of a number': 1,
  'MERGE with the ETag of a time': 1,
  'MERGE with If-Match: *': 1,
  'PUT with ETag': 1,
  'MERGE with a property that cannot change': 4,
  'DELETE with the ETag of a number': 1,
  'DELETE with the ETag of a time': 1,
  'change set of MERGE, and GET': 1,
  'change set of MERGE with the ETag of a time, and GET': 1,
  'change set of POST, and GET': 2,
  'change set of DELETE, and GET': 2,
  'change set of three MERGE': 2,
  'MERGE of an outdated version': 4,
  'MERGE of an absent entity': 4,
})

describeChangeStatements(
  'sqlite',
  () => {
    const noted: string[] = []
    const sqlite = cacheStatements(new SQLite(':memory:', { verbose: (text) => noted.push(String(text)) }))
    const db: AnyDatabase = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
    const statements = (): string[] => noted.splice(0)
    return Promise.resolve({ db, sqlite, statements, close: () => db.destroy() })
  },
  {
    'MERGE without ETag': 1,
    'MERGE with the ETag of a number': 1,
    'MERGE with the ETag of a time': 1,
    'MERGE with If-Match: *': 1,
    'PUT with ETag': 1,
    'MERGE with a property that cannot change': 4,
    'DELETE with the ETag of a number': 1,
    'DELETE with the ETag of a time': 1,
    'change set of MERGE, and GET': 1,
    'change set of MERGE with the ETag of a time, and GET': 1,
    'change set of POST, and GET': 2,
    'change set of DELETE, and GET': 2,
    'change set of three MERGE': 8,
    'MERGE of an outdated version': 4,
    'MERGE of an absent entity': 4,
  },
)
