import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

interface Trace {
  readonly request: string
  readonly files: number
  readonly functions: readonly unknown[]
}

/** How many functions of how many files one warm request may enter. Lower a limit when a change makes room. */
const limits = {
  'from memory, cached': {
    'GET Products?$top=100': { functions: 58, files: 27 },
    'GET Products(1)': { functions: 117, files: 51 },
    'POST Products': { functions: 282, files: 71 },
    'POST $batch': { functions: 498, files: 96 },
  },
  'from memory, after a change': {
    'GET Products?$top=100': { functions: 146, files: 54 },
  },
  'from SQLite, cached': {
    'GET Products?$top=100': { functions: 76, files: 28 },
    'GET Products(1)': { functions: 166, files: 61 },
    'POST $batch': { functions: 613, files: 112 },
  },
  'from SQLite, after a change': {
    'GET Products?$top=100': { functions: 216, files: 65 },
  },
}

const options = {
  'from memory, cached': [],
  'from memory, after a change': ['--miss'],
  'from SQLite, cached': ['--sqlite'],
  'from SQLite, after a change': ['--sqlite', '--miss'],
}

describe('A warm request', () => {
  const services = Object.keys(limits) as (keyof typeof limits)[]

  it.each(services)('MUST enter no more functions and files than its limits: %s', (service) => {
    const requests = Object.keys(limits[service])
    const script = join(__dirname, '../scripts/trace.mjs')
    const output = execFileSync(process.execPath, [script, '--json', ...options[service], ...requests])
    const traces = JSON.parse(output.toString()) as readonly Trace[]
    const counts = traces.map(({ request, files, functions }) => [
      request,
      { functions: functions.length, files },
    ])
    expect(aboveLimits(Object.fromEntries(counts), limits[service])).toEqual([])
    expect(traces.every(({ files }) => files > 10)).toBe(true)
  })
})

type Counts = Readonly<Record<string, { readonly functions: number; readonly files: number }>>

function aboveLimits(counts: Counts, limit: Counts): string[] {
  return Object.entries(counts).flatMap(([request, { functions, files }]) => {
    const most = limit[request] ?? { functions: 0, files: 0 }
    return functions > most.functions || files > most.files
      ? [`${request}: ${functions} functions in ${files} files, at most ${most.functions} in ${most.files}`]
      : []
  })
}
