/** `npm run bench`: see `command-line.mjs`. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { commandLine, usage } from './command-line.mjs'
import { copyPackage } from './measure/package.mjs'
import { goalsReport, machine, writeResults } from './measure/report.mjs'
import { resourcesIn } from './measure/resources.mjs'
import { buildRevision } from './measure/revision.mjs'
import { clientCore, pin } from './measure/server-process.mjs'
import { benchmarks } from './suite.mjs'

const options = commandLine()
const comparing = options.compare !== undefined
// Revisions are compared by what has servers.
const chosen = benchmarks.filter(
  ({ name, variants }) => options.wanted(name) && (!comparing || variants !== undefined),
)

/** Prepares the state that all benchmarks of a run share. */
function prepare() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  return {
    folder,
    resources: resourcesIn(folder),
    quick: options.quick,
    rounds: options.rounds,
    connections: options.connections,
    only: options.only,
    flags: options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`],
    package: copyPackage(resolve(options.package), folder, 'package'),
    before: comparing ? buildRevision(options.compare, folder) : undefined,
  }
}

async function run() {
  const notes = pin(process.pid, clientCore) ? [] : ['Without taskset servers and clients share their cores.']
  const bench = prepare()
  const parts = []
  const print = (text) => {
    parts.push(text)
    console.log(`\n${text}`)
  }
  try {
    print([machine(), ...notes].join('\n'))
    const goals = []
    for (const benchmark of chosen) {
      const result = await benchmark.run(benchmark, bench)
      print(result.text)
      goals.push(...result.goals)
    }
    if (goals.length > 0) print(goalsReport(goals))
    if (options.write) writeResults(parts)
  } finally {
    await bench.resources.stop()
  }
}

if (options.help) console.log(usage)
else if (options.list) for (const { name, title } of chosen) console.log(`${name.padEnd(18)} ${title}`)
else {
  await run().catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
}
