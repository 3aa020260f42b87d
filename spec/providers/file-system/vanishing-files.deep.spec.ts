import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ODataError } from '../../../lib/index.js'
import { fileModel, fileProvider, odataV2 } from '../../../lib/index.js'
import { LiveServer } from '../../support/live-server.js'

const REQUESTS = 12_000

const targets = [
  "/Files('%2Fa.txt')/$value",
  "/Files('%2Fb.txt')/$value",
  "/Files('%2Ffolder%2Fd.txt')/$value",
  "/Files('%2Fc.txt')",
  "/Files('%2Ffolder')/Files",
  '/Files?$orderby=size',
  '/Files/$count',
]

describe('Files that another process creates, replaces and deletes', () => {
  it('MUST be served or absent, and never cause a server error', async () => {
    const root = mkdtempSync(join(tmpdir(), 'vanishing-files-'))
    const churn = spawn(process.execPath, [join(__dirname, '../../support/churn-files.mjs'), root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(churn.stdout, 'data')
    const server = await LiveServer.start()
    const failures: unknown[] = []
    const onError = (error: ODataError): void => void failures.push(error.cause ?? error)
    server.mount('files', odataV2(fileModel, fileProvider(root), { onError }))
    try {
      const statuses = new Set<number>()
      let next = 0
      const client = async (): Promise<void> => {
        while (next < REQUESTS) {
          const target = targets[next++ % targets.length] ?? ''
          statuses.add((await server.get(`/files${target}`, { Accept: 'application/json,*/*' })).status)
        }
      }
      await Promise.all([client(), client(), client(), client()])
      expect(failures).toEqual([])
      expect([...statuses].sort()).toEqual([200, 404])
    } finally {
      await server.close()
      const exit = once(churn, 'exit')
      churn.stdin.end()
      await exit
      rmSync(root, { recursive: true, force: true })
    }
  })
})
