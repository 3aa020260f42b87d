import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { counted, uploaded } from '../support/parallel-services.js'

it('500 writers of one entity at once MUST each succeed exactly once', async () => {
  const { statuses, failures, value } = await counted(500)
  console.log('writers of one entity: %o', statuses)
  expect([value, statuses[204], failures]).toEqual([500, 500, []])
  expect(Object.keys(statuses)).toEqual(['204', '412'])
})

it('500 uploads to one file at once MUST replace each other one by one', async () => {
  const root = mkdtempSync(join(tmpdir(), 'parallel-uploads-'))
  const { statuses, failures, inOrder, isLast } = await uploaded(root, 500)
  console.log('uploads to one file: %o', statuses)
  expect(Object.keys(statuses)).toEqual(['204', '412'])
  expect(statuses[204]).toBeGreaterThanOrEqual(250)
  expect([inOrder, isLast, failures]).toEqual([statuses[204], true, []])
  expect(readdirSync(root)).toEqual(['a.txt'])
  rmSync(root, { recursive: true })
})
