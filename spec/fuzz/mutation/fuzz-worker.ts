import { parentPort, workerData } from 'node:worker_threads'
import { inspect } from 'node:util'
import { checkPrototypes } from './check-input.js'
import { readCorpus } from './corpus.js'
import { dictionaries } from './dictionaries.js'
import { mutated } from './mutate.js'
import type { FuzzedParser } from './parsers.js'
import { parsers } from './parsers.js'
import { RequestTarget } from './request-target.js'

/** A task from `spec/fuzz/run.mjs`. */
interface Task {
  readonly corpusFolder: string
  readonly name: keyof typeof dictionaries
  readonly seed: number
  /** The first input, and how long to go on from there, in milliseconds. */
  readonly from: number
  readonly time: number
  /** Holds the number of the input that is being tried: when it stays the same, the worker hangs. */
  readonly progress: SharedArrayBuffer
  /** Only give this input back; nothing is tried. */
  readonly only?: number
}

const { corpusFolder, name, seed, from, time, progress, only } = workerData as Task
const material = { corpus: readCorpus(corpusFolder, name), dictionary: dictionaries[name] }

async function run(parse: FuzzedParser): Promise<void> {
  const counter = new Int32Array(progress)
  const end = Date.now() + time
  let index = from
  for (; Date.now() < end; index++) {
    Atomics.store(counter, 0, index)
    const input = mutated(material, seed, index)
    try {
      await parse(input)
      checkPrototypes()
    } catch (error) {
      parentPort?.postMessage({ kind: 'failed', index, input, error: inspect(error, { depth: 4 }) })
    }
  }
  parentPort?.postMessage({ kind: 'done', tried: index - from })
}

async function main(): Promise<void> {
  if (only !== undefined) parentPort?.postMessage({ kind: 'input', input: mutated(material, seed, only) })
  else if (name !== 'request') await run(parsers[name])
  else {
    const target = await RequestTarget.start()
    await run((input) => target.send(input))
    await target.stop()
  }
}

void main()
