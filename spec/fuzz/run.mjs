/**
 * Fuzzes one parser after the other with mutated inputs: `npm run fuzz -- [parser …] --minutes n --seed s`. Adds inputs
 * that fail to the corpus, which `npm test` parses.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { withBundledPrograms } from '../support/bundled-programs.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const corpusFolder = join(here, 'corpus')
const known = readdirSync(corpusFolder).sort()
const usage = `npm run fuzz -- [parser ...] [--minutes 1] [--seed 1]
Parsers: ${known.join(', ')}. Default: all. --minutes is the total time for all parsers.`

/** An input that takes longer is reported as hanging. */
const INPUT_TIMEOUT_MS = 15_000
/** Maximum number of reported failures per parser, because failures often have the same cause. */
const MAX_REPORTED = 5

function commandLine() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string', default: '1' },
      seed: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const unknown = positionals.find((name) => !known.includes(name))
  const minutes = Number(values.minutes)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  if (values.help || unknown !== undefined || !(minutes > 0) || !Number.isInteger(seed)) {
    console.log(usage)
    process.exit(values.help ? 0 : 2)
  }
  return { names: positionals.length === 0 ? known : positionals, minutes, seed }
}

/** Creates the input with an index again, because a hanging worker cannot send it. */
function createInput(script, task, index) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: { ...task, only: index } })
    worker.on('message', ({ input }) => resolve(input))
    worker.on('error', reject)
  })
}

/**
 * Parses mutated inputs in a worker until the time is over, or an input crashes it or hangs.
 *
 * @returns the number of inputs as `tried`; or the index of the input as `crashed`, and the reason as `why`
 */
function fuzz(script, task, onFailure) {
  return new Promise((resolve) => {
    const counter = new Int32Array(task.progress)
    const worker = new Worker(script, { workerData: task })
    let last = -1
    const watch = setInterval(() => {
      const index = Atomics.load(counter, 0)
      if (index !== last) last = index
      else void stop({ crashed: index, why: `no result after ${INPUT_TIMEOUT_MS} ms` })
    }, INPUT_TIMEOUT_MS)
    const stop = async (result) => {
      clearInterval(watch)
      await worker.terminate()
      resolve(result)
    }
    worker.on('message', (message) => {
      if (message.kind === 'done') void stop({ tried: message.tried })
      else onFailure(message)
    })
    worker.on(
      'error',
      (error) => void stop({ crashed: Atomics.load(counter, 0), why: `uncaught: ${error.stack}` }),
    )
  })
}

async function runOne(script, name, seed, time) {
  const failures = []
  const report = (index, input, error) => {
    if (failures.push(index) > MAX_REPORTED) return
    const path = join(corpusFolder, name, `failed-${seed}-${index}.txt`)
    writeFileSync(path, input, 'latin1')
    console.log(`${name}: seed ${seed}, input ${index} failed, saved as ${path}\n${error.slice(0, 2000)}`)
  }
  const end = Date.now() + time
  let from = 0
  while (Date.now() < end) {
    const progress = new SharedArrayBuffer(4)
    const task = { corpusFolder, name, seed, from, time: end - Date.now(), progress }
    const result = await fuzz(script, task, ({ index, input, error }) => report(index, input, error))
    if (result.crashed === undefined) {
      from += result.tried
      break
    }
    report(result.crashed, await createInput(script, task, result.crashed), result.why)
    from = result.crashed + 1
  }
  console.log(`${name}: seed ${seed}, ${from} inputs, ${failures.length} failures`)
  return failures.length
}

const { names, minutes, seed } = commandLine()
const worker = join(here, 'mutation/fuzz-worker.ts')
const failed = await withBundledPrograms('fuzz', [worker], async (folder) => {
  let count = 0
  for (const name of names) {
    count += await runOne(join(folder, 'fuzz-worker.mjs'), name, seed, (minutes * 60_000) / names.length)
  }
  return count
})
process.exitCode = failed === 0 ? 0 : 1
