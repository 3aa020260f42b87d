import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { areaOf } from './areas.js'
import type { Mutant } from './instrument.js'
import { Laboratory, filesIn } from './laboratory.js'
import { Trial } from './trial.js'

const [root = '', script = '', target = '', sample = '', seed = '', minutes = '', scope = '', report = ''] =
  process.argv.slice(2)
const end = Date.now() + Number(minutes) * 60_000

const targets = filesIn(root, target).filter((file) => file.endsWith('.ts'))
const folder = relative('lib', target.endsWith('.ts') ? join(target, '..') : target)
const laboratory = new Laboratory(root, new Set(targets))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    laboratory.remove()
    process.exit(1)
  })
}
try {
  await laboratory.fill()
  const chosen = drawn(laboratory.mutants, Number(sample), Number(seed))
  console.log(
    `${target}: ${laboratory.mutants.length} faults, ${chosen.length} of them are tried, seed ${seed}`,
  )
  const { near, far } = areaOf(folder)
  const first = await shownTo(near, chosen)
  const second =
    scope === 'near' ? { left: first.left, untried: [] } : await shownTo([...near, ...far], first.left)
  print(chosen.length - first.untried.length, first.left.length, second)
} finally {
  laboratory.remove()
}

/** Returns a random sample of the mutants, the same for the same seed: testing all of them may take too long. */
function drawn(mutants: readonly Mutant[], count: number, start: number): Mutant[] {
  let state = start
  const keyed = mutants.map((mutant) => {
    // The Park-Miller generator.
    state = ((state + 1 + mutant.id) * 48_271) % 2_147_483_647
    return { mutant, key: state }
  })
  const some = keyed.sort((a, b) => a.key - b.key).slice(0, count)
  return some.map(({ mutant }) => mutant)
}

/** @returns the mutants that survived, and those that were not tested in time */
async function shownTo(paths: readonly string[], mutants: readonly Mutant[]) {
  const left: Mutant[] = []
  const untried: Mutant[] = []
  if (mutants.length === 0) return { left, untried }
  const trial = new Trial(script, laboratory.folder, laboratory.specs(paths))
  const start = Date.now()
  try {
    const failed = await trial.prepare()
    for (const name of failed.slice(0, 10)) console.log(`fails without a mutation, not counted: ${name}`)
    if (failed.length > 10) console.log(`and ${failed.length - 10} more`)
    for (const mutant of mutants) {
      if (Date.now() > end) untried.push(mutant)
      else if ((await trial.outcome(mutant.id)) !== 'killed') left.push(mutant)
    }
  } finally {
    await trial.end()
  }
  const seconds = Math.round((Date.now() - start) / 1000)
  console.log(
    `${paths.join(', ')}: ${left.length} of ${mutants.length - untried.length} survive, ${seconds} s, ${trial.processes} processes`,
  )
  return { left, untried }
}

function print(
  tried: number,
  nearly: number,
  { left, untried }: { left: Mutant[]; untried: Mutant[] },
): void {
  const lines = [
    ...left.map(lineOf).sort(),
    ...untried.map((mutant) => `not tested by all specs: ${lineOf(mutant)}`),
  ]
  if (lines.length > 0) console.log(lines.join('\n'))
  if (report !== '') writeFileSync(report, `${lines.join('\n')}\n`)
  const score = (noticed: number, of: number) =>
    `${noticed} of ${of} noticed (${((100 * noticed) / Math.max(of, 1)).toFixed(1)} %)`
  console.log(`${target}, by the specs of the folder: ${score(tried - nearly, tried)}`)
  const requested = tried - untried.length
  if (scope !== 'near') console.log(`${target}, by all: ${score(requested - left.length, requested)}`)
}

function lineOf({ file, line, original, replacement }: Mutant): string {
  return `${file}:${line}  ${original}  →  ${replacement}`
}
