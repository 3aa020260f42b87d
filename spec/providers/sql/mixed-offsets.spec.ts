import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { openDatabase } from '../../../lib/sql.js'

/** Opens a table with dates of a time zone as strings. @returns the notices */
async function noticesOf(texts: readonly string[]): Promise<string[]> {
  const database = new SQLite(':memory:')
  database.exec('create table events (id integer primary key, at timestamptz)')
  const insert = database.prepare('insert into events (at) values (?)')
  for (const text of texts) insert.run(text)
  const notices: string[] = []
  const { provider, close } = await openDatabase(new Kysely({ dialect: new SqliteDialect({ database }) }), {
    onNotice: (notice) => notices.push(notice),
  })
  await provider.ready()
  await close()
  return notices
}

describe('Dates with time zone in SQLite', () => {
  it('MUST cause a notice at the start if their UTC offsets differ', async () => {
    const notices = await noticesOf(['2020-01-01T10:00:00+02:00', '2020-01-01T09:00:00+01:00'])
    expect(notices).toEqual([
      expect.stringMatching(/^'Events': 'At' is stored with different UTC offsets.* Store UTC\.$/),
    ])
  })

  it.each([
    ['UTC in different forms', ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00+00:00']],
    ['one offset', ['2020-01-01T10:00:00+02:00', '2021-01-01T10:00:00+0200']],
  ])('MUST NOT cause a notice with %s', async (_, texts) => {
    expect(await noticesOf(texts)).toEqual([])
  })
})
