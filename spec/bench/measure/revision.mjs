/** Other revisions of this package. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { copyPackage, root } from './package.mjs'
import { variantsOf } from './opponents.mjs'
import { comparisonReport } from './report.mjs'
import { median, runWorkload } from './workload.mjs'

/** Builds a revision, with the packages that are installed for this one. @returns the folder of the package */
export function buildRevision(revision, folder) {
  const sources = join(folder, 'revision')
  mkdirSync(sources)
  const archive = execFileSync('git', ['archive', revision], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', sources], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  try {
    execFileSync(process.execPath, ['build.mjs'], { cwd: sources, stdio: 'inherit' })
  } catch {
    throw new Error(`The revision ${revision} could not be built.`)
  }
  return copyPackage(join(sources, 'dist'), folder, 'before')
}

const suffix = ', before'

/** Each server of ours twice: with the package as it was, and as it is. */
const pairs = (variants, before) =>
  variants.flatMap((variant) => [{ ...variant, name: `${variant.name}${suffix}`, package: before }, variant])

/** @returns results of the package as it is, in relation to what it was */
function againstBefore(results) {
  const now = results.filter(({ name }) => !name.endsWith(suffix))
  return now.map((result) => {
    const before = results.find(({ name }) => name === `${result.name}${suffix}`)
    const ratio = (better) => median(result.rounds.map((round, index) => better(round, before.rounds[index])))
    return {
      ...result,
      before,
      cpuRatio: ratio((own, old) => old.cpu / own.cpu),
      throughputRatio: ratio((own, old) => own.throughput / old.throughput),
    }
  })
}

export async function runAgainstBefore(workload, bench) {
  const ours = { ...workload, variants: workload.variants.filter((variant) => variant.ours) }
  const variants = pairs(await variantsOf(ours, bench), bench.before)
  return {
    text: comparisonReport(workload, againstBefore(await runWorkload(workload, variants, bench))),
    goals: [],
  }
}
