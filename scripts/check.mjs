/**
 * Runs the checks that need no service, as many side by side as there are cores, and prints how long each took: `npm
 * run check`. Caches in node_modules/.cache make the second run short. ESLint's cache does not notice that a type of
 * another file changed: `npm run lint`, which CI runs, has none.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { text } from 'node:stream/consumers'

const cache = 'node_modules/.cache'

/** The slowest come first. */
const checks = [
  ['specs', 'jest -c spec/lanes/check.config.js'],
  ['eslint', `eslint . --cache --cache-strategy content --cache-location ${cache}/eslint/`],
  ['types', `tsc -p tsconfig.json --incremental --tsBuildInfoFile ${cache}/types.tsbuildinfo`],
  ['api', `${process.execPath} scripts/make-api-reports.mjs --check`],
  ['prettier', `prettier --check . --cache --cache-strategy content`],
  ['spelling', 'cspell lint --no-progress --no-summary .'],
  ['types of the explorer', 'tsc -p lib/tools/explorer/page'],
]

/** @returns whether it passed */
async function run([name, command]) {
  const start = Date.now()
  // The shell finds the programs of node_modules/.bin, which npm adds to the path.
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const exit = new Promise((resolve) => child.once('close', resolve))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const passed = (await exit) === 0
  process.stdout.write(
    `${passed ? 'ok    ' : 'FAILED'} ${name} (${String(Math.round((Date.now() - start) / 1000))} s)\n`,
  )
  if (!passed) process.stdout.write(`${output}${errors}\n`)
  return passed
}

async function runAll() {
  const waiting = [...checks]
  const results = []
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await run(next))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return results.every(Boolean)
}

if (!(await runAll())) process.exitCode = 1
