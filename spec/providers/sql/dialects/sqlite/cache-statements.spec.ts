import SQLite from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { cacheStatements } from '../../../../../lib/providers/sql/dialects/sqlite/cache-statements.js'

describe('cacheStatements', () => {
  let database: SQLite.Database
  let prepared: string[]
  let counted: SqliteDatabase

  beforeEach(() => {
    database = new SQLite(':memory:')
    prepared = []
    counted = {
      close: () => {
        database.close()
      },
      prepare(text) {
        prepared.push(text)
        return database.prepare(text)
      },
    }
  })

  it('MUST prepare each statement once', () => {
    const cached = cacheStatements(counted)
    for (const n of [1, 2]) expect(cached.prepare('select ? as n').all([n])).toEqual([{ n }])
    expect(prepared).toEqual(['select ? as n'])
  })

  it('MUST prepare a statement once whose rows are read as arrays', () => {
    const cached = cacheStatements(counted)
    for (const n of [1, 2]) expect(cached.all('select ? as n', [n]).values).toEqual([[n]])
    expect(prepared).toEqual(['select ? as n'])
  })

  it('MUST cache the statements that were used last, up to its capacity', () => {
    const cached = cacheStatements(counted, 2)
    for (const text of ['select 1', 'select 2', 'select 1', 'select 3', 'select 1'])
      cached.prepare(text).all([])
    expect(prepared).toEqual(['select 1', 'select 2', 'select 3'])
    expect(['select 1', 'select 2', 'select 3'].map((text) => cached.has(text))).toEqual([true, false, true])
  })

  it('MUST not cache long statements, which are rarely repeated and need much memory', () => {
    const cached = cacheStatements(counted)
    const long = `select ? as n${' '.repeat(50_000)}`
    for (const n of [1, 2]) expect(cached.prepare(long).all([n])).toEqual([{ n }])
    expect(prepared).toEqual([long, long])
    expect(cached.has(long)).toBe(false)
  })

  it('MUST return rows one by one to concurrent readers', () => {
    const cached = cacheStatements(database)
    const [one, other] = [0, 0].map(() => cached.prepare('select 1 as n union all select 2').iterate([]))
    expect(one?.next().value).toEqual({ n: 1 })
    expect([...(other ?? [])]).toEqual([{ n: 1 }, { n: 2 }])
    expect([...(one ?? [])]).toEqual([{ n: 2 }])
  })

  it('MUST report whether a transaction is open, if the driver does', () => {
    const cached = cacheStatements(database)
    expect(cached.inTransaction).toBe(false)
    cached.prepare('begin').run([])
    expect(cached.inTransaction).toBe(true)
    expect(cacheStatements(counted).inTransaction).toBeUndefined()
  })

  it.each([undefined, {}, 'shop.sqlite'])('MUST reject a value that is not a database: %p', (what) => {
    expect(() => cacheStatements(what as unknown as SqliteDatabase)).toThrow(
      /must be a Database of better-sqlite3/,
    )
  })

  it.each([0, -1, 1.5, Number.NaN])('MUST reject an invalid capacity: %p', (capacity) => {
    expect(() => cacheStatements(database, capacity)).toThrow(/positive whole number/)
  })
})
