/** Workloads that compare this package, hand-coded routes and other packages of npm. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exportsOf } from './package.mjs'
import { checkGoals, workloadReport } from './report.mjs'
import { runWorkload } from './workload.mjs'

const folder = fileURLToPath(new URL('../opponents/', import.meta.url))
let installed

/** Installs the packages of the opponents when they are missing. @returns whether they are there */
function installOpponents() {
  if (existsSync(`${folder}node_modules/@sap/cds`)) return true
  try {
    // SQLite is that of this package, which is compiled already.
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: 'ignore' })
    return true
  } catch {
    console.log('The opponents from npm are left out: they could not be installed.')
    return false
  }
}

/** Returns the servers that can run here and are requested. */
export async function variantsOf({ variants }, { package: tested, before, only }) {
  const exported = await Promise.all([tested, before].filter(Boolean).map(exportsOf))
  const isRequested = ({ name }) => only.some((part) => name.includes(part))
  // Packages that are not requested are not installed.
  const able = variants.filter(
    ({ name, needs, opponent }) =>
      (opponent !== true || (isRequested({ name }) && (installed ??= installOpponents()))) &&
      (needs === undefined || exported.every((names) => names.includes(needs))),
  )
  // The others are compared with the first, and their responses with the first of ours.
  const always = [able[0], able.find(({ ours }) => ours)]
  return able.filter((one) => always.includes(one) || isRequested(one))
}

export async function runAgainstOthers(workload, bench) {
  const results = await runWorkload(workload, await variantsOf(workload, bench), bench)
  const wrong = results.filter(({ response }) => response === undefined).map(({ name }) => name)
  if (wrong.length > 0) throw new Error(`${workload.name}: different responses from ${wrong.join(', ')}`)
  const goals = checkGoals(workload, results)
  return { text: workloadReport(workload, results, goals), goals }
}
