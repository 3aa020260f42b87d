import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const session = new Session()
let records = 0

/**
 * Lets V8 record which code runs in this worker.
 *
 * Jest can do that, too, but takes twice as long, because it reads the coverage of all its own scripts after every
 * spec file.
 */
export function startCoverage() {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
}

/** Writes what has run of a script since the last call. */
export function recordCoverage(folder, script) {
  const { href } = pathToFileURL(script)
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw new Error(error.message)
    const functions = coverage.result.filter(({ url }) => url === href).flatMap((one) => one.functions)
    const ranges = functions.flatMap((one) => one.ranges)
    mkdirSync(folder, { recursive: true })
    const name = `${String(process.pid)}-${String(++records)}.json`
    const text = JSON.stringify(
      ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
    )
    writeFileSync(join(folder, name), text)
  })
}
