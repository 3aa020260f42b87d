import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { stores } from './support/northwind.js'
import { serveNorthwind } from './support/served-northwind.js'

/**
 * Client of .NET, from Debian's packages `mono-mcs` and `libmono-system-data-services-client4.0-cil`. The specs are
 * skipped where they are not installed.
 */
const hasMono = ['mono', 'mcs'].every((program) => spawnSync(program, ['--version']).status === 0)
const describeWithMono = hasMono ? describe : describe.skip

const run = promisify(execFile)

describeWithMono('System.Data.Services.Client of .NET', () => {
  let directory: string
  let program: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dotnet-client-'))
    program = join(directory, 'client.exe')
    const source = join(__dirname, 'dotnet/Program.cs')
    await run('mcs', ['-r:System.Data.Services.Client', `-out:${program}`, source])
  })
  afterAll(() => rm(directory, { recursive: true }))

  it.each(stores)(
    'MUST read and change a catalogue in %s, alone and in batches',
    async (_name, openStore) => {
      const served = await serveNorthwind(openStore, { pageSize: 20 })
      try {
        const { stdout } = await run('mono', [program, served.root])
        expect(stdout.trimEnd().split('\n')).toEqual([
          'read: Jamón, Whole Leg, Stockfish',
          'expand: Drinks 11',
          'count: 8',
          'pages: 77',
          'merged: changed',
          'deleted: 0',
          'batch: 202: 201 201 204 201 204',
          'made: Assam, Linked',
          'keys: True',
          'undone: 204 204 204',
          'failed: 400',
          'rolled back: 0',
          'reads: 3 1',
        ])
      } finally {
        await served.close()
      }
    },
  )
})
