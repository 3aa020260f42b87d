import SQLite from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { keepStatements } from '../../../lib/providers/sql/keep-statements.js'
import { KeptResults } from '../../../lib/providers/sql/kept-results.js'

describe('What statements returned', () => {
  let file: SQLite.Database
  let read: number
  let isCommitted: boolean

  beforeEach(() => {
    read = 0
    isCommitted = true
    file = new SQLite(':memory:')
    file.function('seen', { deterministic: false }, () => ++read)
  })
  afterEach(() => file.close())

  const results = (limit: number, database: SqliteDatabase = file): KeptResults =>
    new KeptResults(keepStatements(database), limit, () => isCommitted)

  const ask = (kept: KeptResults, text: string, ...parameters: readonly unknown[]): unknown => {
    expect(kept.look()).toBe(true)
    return kept.found({ text, parameters }).values
  }

  it.each([
    [
      ['1', 'x'],
      [1, 'x'],
    ],
    [
      [1, 'x'],
      [1n, 'x'],
    ],
    [
      ['1', ''],
      ['', '1'],
    ],
    [
      ['a b', 'c'],
      ['a', 'b c'],
    ],
    [
      ['null', 'x'],
      [null, 'x'],
    ],
    [
      ['1:a 1:b', ''],
      ['1:a', '1:b'],
    ],
  ])('MUST be told apart by parameters: %p and %p', (one, other) => {
    const kept = results(10_000)
    for (let time = 0; time < 3; time++) {
      for (const parameters of [one, other]) {
        const text = 'select ? as a, ? as b'
        expect(ask(kept, text, ...parameters)).toEqual(file.prepare(text).raw().all(parameters))
      }
    }
  })

  it('MUST be kept when they are asked for a second time, and not for bytes', () => {
    const kept = results(10_000)
    const text = 'select seen() as n, ? as a'
    const numbers = (parameter: unknown): unknown[] =>
      Array.from({ length: 4 }, () => (ask(kept, text, parameter) as unknown[][])[0]?.[0])
    expect(numbers('a')).toEqual([1, 2, 2, 2])
    expect(numbers(Buffer.from('a'))).toEqual([3, 4, 5, 6])
  })

  it('MUST not take more memory than they may, and MUST keep what was used last', () => {
    const limit = 20_000
    const kept = results(limit)
    const text = `select seen() as n, ? as a, replace(hex(zeroblob(?)), '00', 'x') as x`
    for (let round = 0; round < 200; round++) {
      ask(kept, text, 'often', 100)
      ask(kept, text, round % 50, (round % 7) * 300)
      expect(kept.used).toBeLessThanOrEqual(limit)
    }
    const before = read
    ask(kept, text, 'often', 100)
    expect(read).toBe(before)
    for (let time = 0; time < 3; time++) ask(kept, text, 'too long', 3000)
    expect(read).toBe(before + 3)
  })

  it('MUST give their memory back when something changes', () => {
    const kept = results(10_000)
    for (let time = 0; time < 3; time++) ask(kept, 'select 1 as a')
    expect(kept.used).toBeGreaterThan(0)
    file.exec('create table t (a)')
    kept.look()
    expect(kept.used).toBe(0)
  })

  it('MUST count what they were asked for with, also when that happens once', () => {
    const limit = 100_000
    const kept = results(limit)
    for (let id = 0; id < 50; id++) {
      ask(kept, 'select ? as a', `${String(id)} ${'Ω'.repeat(4000)}`)
      expect(kept.used).toBeLessThanOrEqual(limit)
    }
    expect(kept.used).toBeGreaterThan(80_000)
  })

  it('MUST not be kept when there are bytes in them that others may change', () => {
    const kept = results(10_000)
    const numbers = (): unknown[] =>
      Array.from({ length: 4 }, () => (ask(kept, "select seen() as n, x'00' as b") as unknown[][])[0]?.[0])
    expect(numbers()).toEqual([1, 2, 3, 4])
  })

  it('MUST not be kept while they may be taken back', () => {
    const kept = results(10_000)
    isCommitted = false
    for (let time = 0; time < 3; time++) ask(kept, 'select seen() as n')
    expect(read).toBe(3)
  })

  it('MUST not be kept for statements that are very long', () => {
    const kept = results(1_000_000)
    for (let time = 0; time < 3; time++) ask(kept, `select seen() as n, '${'x'.repeat(50_000)}' as x`)
    expect(read).toBe(3)
  })

  it('MUST say at once when the database is locked', () => {
    const locked: SqliteDatabase = {
      close: () => undefined,
      prepare: () => {
        throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
      },
    }
    expect(() => results(10_000, locked).look()).toThrow('database is locked')
  })

  it('MUST not be asked for while files are attached, whose changes are not seen', () => {
    const kept = results(10_000)
    expect(kept.look()).toBe(true)
    file.exec(`attach ':memory:' as other`)
    expect(kept.look()).toBe(false)
    file.exec('detach other')
    expect(kept.look()).toBe(true)
  })

  const computed = `
    create view "ITEMS" as select seen() as n;
    create view "Größe" as select seen() as n;
    create virtual table "Words" using fts5(n)`

  it.each([
    ['select n from "Items"'],
    ['select n from "Größe"'],
    ['select seen() as n, (select count(*) from "Words") as m'],
  ])('MUST not be kept of what is computed, however texts are compared: %s', (text) => {
    file.pragma('case_sensitive_like = on')
    file.exec(computed)
    const kept = results(10_000)
    for (let time = 0; time < 3; time++) ask(kept, text)
    expect(read).toBe(3)
  })

  it('MUST not be kept of what is computed when that could not be read at first', () => {
    let isLocked = true
    const locked: SqliteDatabase = {
      close: () => undefined,
      prepare(text) {
        if (isLocked && text.includes('rootpage')) {
          isLocked = false
          throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
        }
        return file.prepare(text)
      },
    }
    file.exec(computed)
    const kept = results(10_000, locked)
    expect(() => kept.look()).toThrow('database is locked')
    for (let time = 0; time < 3; time++) ask(kept, 'select n from "ITEMS"')
    expect(read).toBe(3)
  })

  it('MUST be told apart by statements, also when there are more than are known', () => {
    const kept = results(20_000)
    for (let time = 0; time < 3; time++) {
      for (let number = 0; number < 300; number++) {
        const text = `select ${String(number)} as a /* ${'x'.repeat(number)} */`
        expect(ask(kept, text)).toEqual([[number]])
      }
    }
  })

  it('MUST not be asked for where the database does not tell what has changed', () => {
    const silent: SqliteDatabase = {
      close: () => undefined,
      prepare(text) {
        if (text.includes('data_version')) throw new Error('no such table: pragma_data_version')
        return file.prepare(text)
      },
    }
    expect(results(10_000, silent).look()).toBe(false)
  })

  it('MUST be the same of drivers that give objects', () => {
    const objects: SqliteDatabase = {
      close: () => undefined,
      prepare(text) {
        const statement = file.prepare(text)
        return {
          reader: statement.reader,
          all: (parameters) => statement.all(parameters),
          run: (parameters) => statement.run(parameters),
          iterate: (parameters) => statement.iterate(parameters),
        }
      },
    }
    const kept = results(10_000, objects)
    for (let time = 0; time < 3; time++) expect(ask(kept, 'select 1 as a, null as b')).toEqual([[1, null]])
    expect(ask(kept, 'select 1 as a where 0')).toEqual([])
  })
})
