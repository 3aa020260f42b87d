import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(__dirname, '../..')

describe('A service after requests of all kinds', () => {
  it('MUST leak nothing: memory, handles, listeners, transactions', () => {
    const soak = spawnSync(process.execPath, ['spec/soak/run.mjs', '--minutes', '0.3'], {
      cwd: root,
      encoding: 'utf8',
    })
    console.log(soak.stdout)
    expect(soak).toMatchObject({ status: 0, stderr: '' })
  })
})
