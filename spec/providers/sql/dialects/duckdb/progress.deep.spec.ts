import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../../../lib/sql.js'
import { runDuckDb } from '../../../../support/sql/duckdb.js'

const directory = mkdtempSync(join(tmpdir(), 'duckdb-progress-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('The progress of openDatabase', () => {
  it('MUST be the finished part of a long statement, and end when the database is open', async () => {
    const parts: number[] = []
    let isOpen = false
    const file = join(directory, 'long.csv')
    await runDuckDb(`copy (select range as id, hash(range) as value from range(3000000)) to '${file}'`)
    const database = await openDatabase(file, {
      onProgress: (done) => {
        expect(isOpen).toBe(false)
        parts.push(done)
      },
    })
    isOpen = true
    expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...parts)).toBeGreaterThan(0)
    expect(Math.max(...parts)).toBeLessThanOrEqual(1)
    await database.close()
  })
})
