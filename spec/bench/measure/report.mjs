/** Results as Markdown. */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import process from 'node:process'

export const number = (value) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString()
const times = (value) => `${number(value)}x`

const microseconds = (value) => `${number(value)} us`

export function table(headings, rows) {
  const widths = headings.map((_, column) =>
    Math.max(...[headings, ...rows].map((row) => row[column].length)),
  )
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const headings = [
  'server',
  'CPU of a request',
  'first requests',
  'GC',
  'CPU ratio',
  'throughput ratio',
  'peak memory',
  'longest turn',
  'response',
]

/** @param goals as `checkGoals` returns them */
export function workloadReport({ title }, results, goals) {
  const hasDatabase = results.some(({ database }) => database !== undefined)
  const rows = results.map((result) => [
    result.name,
    microseconds(result.cpu),
    microseconds(result.first),
    microseconds(result.gc),
    ...(hasDatabase ? [microseconds(result.database)] : []),
    times(result.cpuRatio),
    times(result.throughputRatio),
    `${number(result.peak / 2 ** 20)} MB`,
    `${result.turn.toFixed(1)} ms`,
    result.response ?? 'DIFFERENT',
  ])
  const [server, cpu, first, gc, ...others] = headings
  const all = [server, cpu, first, gc, ...(hasDatabase ? ['CPU of the database'] : []), ...others]
  return [`## ${title}`, table(all, rows), goalsTable(goals)].filter(Boolean).join('\n\n')
}

/** @param results as `againstBefore` returns them */
export function comparisonReport({ title }, results) {
  const headings = ['server', 'CPU of a request before', 'now', 'CPU ratio', 'throughput ratio', 'response']
  const rows = results.map(({ name, before, cpu, cpuRatio, throughputRatio, response }) => [
    name,
    microseconds(before.cpu),
    microseconds(cpu),
    times(cpuRatio),
    times(throughputRatio),
    before.response === 'same bytes' && response === 'same bytes' ? 'same bytes' : 'DIFFERENT',
  ])
  return `## ${title}\n\n${table(headings, rows)}`
}

/** The compared quantity of a goal, by the name of its figure in the results. */
const measures = {
  cpuRatio: 'CPU time',
  throughputRatio: 'throughput',
  databaseRatio: 'CPU time of the database',
}

/** Evaluates the goals of a workload, without those of servers that did not run. */
export function checkGoals({ title, goals = [], maxCpu, maxGc }, results) {
  const resultOf = (name) => results.find((result) => result.name === name)
  const ratios = goals.flatMap(({ variant, ratio, against = results[0].name, measure = 'cpuRatio' }) => {
    const [own, base] = [resultOf(variant), resultOf(against)]
    if (own === undefined || base === undefined) return []
    const was = own[measure] / base[measure]
    const what = `${variant} against ${against}: ${measures[measure]}`
    return [{ title, what, wanted: `>= ${times(ratio)}`, was: times(was), reached: was >= ratio }]
  })
  const own = results.find((result) => result.ours)
  const limits = [
    ['CPU of a request', own?.cpu, maxCpu],
    ['garbage collection', own?.gc, maxGc],
  ].filter(([, was, limit]) => was !== undefined && limit !== undefined)
  return [
    ...ratios,
    ...limits.map(([what, was, limit]) => atMost(title, `${own.name}: ${what}`, was, limit, 'us')),
  ]
}

/** A goal that is reached when a figure is not above a limit. */
export const atMost = (title, what, was, limit, unit) => ({
  title,
  what,
  wanted: `<= ${limit} ${unit}`,
  was: `${number(was)} ${unit}`,
  reached: was <= limit,
})

/** Which goals of a benchmark were reached. */
export function goalsTable(goals) {
  if (goals.length === 0) return ''
  const rows = goals.map(({ what, wanted, was, reached }) => [what, wanted, was, reached ? 'yes' : 'NO'])
  return table(['goal', 'wanted', 'was', 'reached'], rows)
}

/** Which goals of all benchmarks were not. */
export function goalsReport(goals) {
  const missed = goals.filter(({ reached }) => !reached)
  const heading = `## Goals\n\n${goals.length - missed.length} of ${goals.length} were reached.`
  if (missed.length === 0) return heading
  const rows = missed.map(({ title, what, wanted, was }) => [title, what, wanted, was])
  return `${heading}\n\n${table(['missed in', 'goal', 'wanted', 'was'], rows)}`
}

/** Where and when a run is. */
export function machine() {
  const [{ model }] = cpus()
  const date = new Date().toISOString().slice(0, 10)
  return `${model.trim()}, ${cpus().length} cores, ${process.platform}, Node.js ${process.versions.node}, ${date}`
}

const explanation = `The output of \`npm run bench -- --write\`. All servers of a benchmark run at the same time on one core and receive
requests in turns; the client runs on another core. The measure is the CPU time of a request, relative to the first
server of the table: a ratio of 2 is half of the time. "first requests" is the mean of the first 1,000 requests of a
process, or of those of its first 2.5 seconds; the other columns are those of a warm process. "GC" is the part of it that garbage collection takes. Absolute times
depend on the machine.

Every service of this package has the options of the guides, unless the name of the row says otherwise. Hand-coded routes
read the same store: compare the memory provider with "hand-coded from memory". The CPU time of a database server has a
column of its own; the CPU ratio does not include it.

The client repeats the same few requests, so that the page cache always hits where a provider has a data version. The rows
"without page cache" measure the first request after a change of the data. Entities are read by key each time. Names and
descriptions have quotation marks, markup, umlauts and line breaks; columns that may be null are null in some rows.`

/** @param parts of a report, as they were printed */
export function writeResults(parts) {
  const text = ['# Results of the benchmarks', explanation, ...parts].map((part) => part.trim()).join('\n\n')
  writeFileSync(new URL('../RESULTS.md', import.meta.url), `${text}\n`)
}
