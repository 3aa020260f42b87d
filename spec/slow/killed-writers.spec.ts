import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleFileService, removeFileService } from '../support/file-service-process.js'
import { killWriters } from '../support/killed-writer.js'

beforeAll(bundleFileService)
afterAll(removeFileService)

it('100 processes that are killed while they write a file MUST leave the old bytes or the new ones', async () => {
  const root = mkdtempSync(join(tmpdir(), 'killed-writers-'))
  const found = await killWriters(root, 100)
  console.log('killed writers: %o', found)
  expect(found).toMatchObject({ mixed: 0, lost: 0 })
  expect(found.old + found.new).toBe(100)
  expect(found.old).toBeGreaterThan(0)
  expect(found.new).toBeGreaterThan(0)
  rmSync(root, { recursive: true })
})
