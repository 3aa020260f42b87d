/**
 * Runs the soak test: `npm run soak -- --minutes n --seed s`. Clients of all kinds send requests to a service in its own
 * process, which must release all resources afterwards.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { withBundledPrograms } from '../support/bundled-programs.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, seed: { type: 'string', default: '1' } },
})
if (!(Number(values.minutes) > 0) || !Number.isInteger(Number(values.seed))) {
  console.log('npm run soak -- [--minutes 1] [--seed 1]')
  process.exit(2)
}

const programs = [join(here, 'soak.ts'), join(here, 'soak-service.ts')]
process.exitCode = await withBundledPrograms('soak', programs, async (folder) => {
  const given = [join(folder, 'soak-service.mjs'), join(here, '../fuzz/corpus'), values.minutes, values.seed]
  const soak = spawn(process.execPath, [join(folder, 'soak.mjs'), ...given], { stdio: 'inherit' })
  const [code] = await once(soak, 'exit')
  return code ?? 1
})
