import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(__dirname, '../..')

describe('A service that was asked for all kinds of things', () => {
  it('MUST keep nothing of them: memory, handles, listeners, transactions', () => {
    const soak = spawnSync(process.execPath, ['spec/soak/run.mjs', '--minutes', '0.3'], {
      cwd: root,
      encoding: 'utf8',
    })
    console.log(soak.stdout)
    expect(soak).toMatchObject({ status: 0, stderr: '' })
  })
})
