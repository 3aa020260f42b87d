/**
 * Reports the lines of lib that specs run, for each lane: `npm run coverage`. Fails if the unit specs run too few of them.
 *
 * `npm run coverage -- --report` runs no specs, but reads the records of runs with the variable SPEC_COVERAGE.
 */
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { librarySource } from '../spec/setup/library-bundle.mjs'

/** The share of the lines covered by all specs that the unit specs must cover by themselves. */
const MIN_UNIT_SHARE = 0.97

const lanes = { unit: 'jest.config.js', deep: 'spec/lanes/deep.config.js' }

if (!process.argv.includes('--report')) Object.keys(lanes).forEach(runSpecs)
report()

function runSpecs(lane) {
  const folder = resolve('coverage', lane)
  rmSync(folder, { recursive: true, force: true })
  const jest = ['node_modules/jest/bin/jest.js', '-c', lanes[lane]]
  const env = { ...process.env, SPEC_COVERAGE: folder }
  const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit', env })
  if (status !== 0) process.exit(1)
}

/** @returns for each character of the bundle, 1 if it ran in any spec file */
function hitsOf(folder) {
  const length = readFileSync(librarySource, 'utf8').length
  const hits = new Uint8Array(length)
  for (const file of readdirSync(folder)) {
    const record = new Uint8Array(length)
    // Inner ranges follow outer ones.
    for (const [start, end, count] of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
      record.fill(count > 0 ? 1 : 0, start, end)
    }
    for (let index = 0; index < length; index++) hits[index] |= record[index]
  }
  return hits
}

/** @returns for each file of lib its lines with code: 1 if any of it ran, else 0 */
function linesOf(hits) {
  const starts = [0]
  const text = readFileSync(librarySource, 'utf8')
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const files = {}
  eachMapping(new TraceMap(readFileSync(`${librarySource}.map`, 'utf8')), (mapping) => {
    const { generatedLine, generatedColumn, originalLine, source } = mapping
    if (source === null || originalLine === null) return
    const file = relative(process.cwd(), resolve(dirname(librarySource), source)).replaceAll('\\', '/')
    if (!file.startsWith('lib/')) return
    const lines = (files[file] ??= {})
    const hit = hits[starts[generatedLine - 1] + generatedColumn]
    lines[originalLine] = hit === 1 || lines[originalLine] === 1 ? 1 : 0
  })
  return files
}

function report() {
  const [unit, deep] = Object.keys(lanes).map((lane) => linesOf(hitsOf(`coverage/${lane}`)))
  const counts = countByFolder(unit, deep)
  print(counts)
  const { lib } = counts
  if (lib.unit < MIN_UNIT_SHARE * lib.whole) {
    console.error(
      `The unit specs must cover ${percent(MIN_UNIT_SHARE, 1)} of the lines that all specs cover.`,
    )
    process.exit(1)
  }
}

function countByFolder(unit, deep) {
  const counts = {}
  for (const [file, lines] of Object.entries(unit)) {
    const [folder] = /^lib\/[^/]+(?=\/)/.exec(file) ?? ['lib/*.ts']
    for (const [line, hit] of Object.entries(lines)) {
      for (const name of ['lib', folder]) {
        const sum = (counts[name] ??= { lines: 0, unit: 0, whole: 0 })
        sum.lines++
        sum.unit += hit
        sum.whole += hit | (deep[file]?.[line] ?? 0)
      }
    }
  }
  return counts
}

function print(counts) {
  const rows = Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1))
  const columns = ([name, { lines, unit, whole }]) => [
    name,
    {
      lines,
      'unit specs': percent(unit, lines),
      'all specs': percent(whole, lines),
      'unit of all': percent(unit, whole),
    },
  ]
  console.table(Object.fromEntries(rows.map(columns)))
}

function percent(part, of) {
  return `${((100 * part) / of).toFixed(2)} %`
}
