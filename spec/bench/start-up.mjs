/**
 * Measures the cost of a service before its first responses: loading the package, mounting a large model, the first
 * time. Every process loads Express too, and that is the measure: budgets are multiples of it, the medians of several
 * processes that take turns. Sizes, and the numbers of files and of type instantiations, are tests.
 */
import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const rounds = 7

/** Times vary with what else the machine does: only what is over its budget by this factor is a failure. */
const tolerance = 1.5

/** Multiples of the time to load Express. */
const steps = [
  { name: 'to require the package', program: 'load-required.cjs', step: 'ours', budget: 0.8 },
  { name: 'to import the package', program: 'load-imported.mjs', step: 'ours', budget: 1.5 },
  { name: 'defineModel, 200 entity types', program: 'mount.mjs', types: 200, step: 'defineModel', budget: 1 },
  { name: 'readEdmx, 200 entity types', program: 'mount.mjs', types: 200, step: 'readEdmx', budget: 3 },
  { name: 'odataV2, in memory', program: 'mount.mjs', types: 200, step: 'memory', budget: 0.6 },
  { name: 'odataV2, in a database', program: 'mount.mjs', types: 200, step: 'sql', budget: 0.3 },
  { name: 'first service document', program: 'mount.mjs', types: 200, step: 'serviceDocument', budget: 0.4 },
  { name: 'first $metadata', program: 'mount.mjs', types: 200, step: 'metadata', budget: 2.5 },
  { name: 'first feed', program: 'mount.mjs', types: 200, step: 'feed', budget: 0.4 },
]

/** How many times as long four times as many entity types may take. */
const growth = ['defineModel', 'readEdmx', 'memory', 'sql', 'serviceDocument', 'metadata', 'feed'].map(
  (step) => ({ name: `${step}, 800 types against 200`, step, budget: 6 }),
)

const execute = promisify(execFile)

/** Runs a program in a process of its own, and returns what it prints. */
export async function runProgram({ program, types, flags = [], settings = [] }) {
  const file = fileURLToPath(new URL(`start-up/${program}`, import.meta.url))
  const values = types === undefined ? settings : [String(types)]
  const { stdout } = await execute(process.execPath, [...flags, file, ...values])
  return JSON.parse(stdout)
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]
}

/** Runs each program once in every round, so that what else happens on the machine happens to all. */
async function measured() {
  const programs = [
    { program: 'load-required.cjs' },
    { program: 'load-imported.mjs' },
    { program: 'mount.mjs', types: 50 },
    { program: 'mount.mjs', types: 200 },
    { program: 'mount.mjs', types: 800 },
  ]
  const results = programs.map((one) => ({ ...one, times: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const one of results) one.times.push(await runProgram(one))
  }
  return (program, types, step) => {
    const { times } = results.find((one) => one.program === program && one.types === types)
    return median(times.map((one) => one[step]))
  }
}

/** @returns the figures, each with its budget */
export async function figures() {
  const timeOf = await measured()
  const loading = steps.map(({ name, program, types, step, budget }) => {
    const milliseconds = timeOf(program, types, step)
    return { name, milliseconds, figure: milliseconds / timeOf(program, types, 'express'), budget }
  })
  const growing = growth.map(({ name, step, budget }) => {
    const milliseconds = timeOf('mount.mjs', 800, step)
    return { name, milliseconds, figure: milliseconds / timeOf('mount.mjs', 200, step), budget }
  })
  const small = steps
    .filter(({ types }) => types !== undefined)
    .map(({ step }) => ({ name: `${step}, 50 types`, milliseconds: timeOf('mount.mjs', 50, step) }))
  return [...loading, ...growing, ...small]
}

/** Prints a table, and lets the process fail when a budget is exceeded by far. */
export async function run() {
  console.log(`\n${''.padEnd(40)}       ms     times   budget   within`)
  for (const { name, milliseconds, figure, budget } of await figures()) {
    const time = milliseconds.toFixed(1).padStart(8)
    if (figure === undefined) {
      console.log(`${name.padEnd(40)} ${time}`)
      continue
    }
    const within = figure <= budget ? 'yes' : figure <= budget * tolerance ? 'nearly' : 'NO'
    if (within === 'NO') process.exitCode = 1
    console.log(
      `${name.padEnd(40)} ${time} ${figure.toFixed(2).padStart(9)} ${budget.toFixed(2).padStart(8)}   ${within}`,
    )
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run()
