import type { Load } from './load.js'
import type { Measurement } from './measurement.js'

const mebibyte = 1024 * 1024

/** More than this, and all of it together, is a leak rather than noise: bytes per request, and bytes. */
const mostPerRequest = 200
const mostGrowth = 6 * mebibyte
/** Handles and descriptors that may have become more: caches and threads of the runtime. */
const mostMore = 3

/** Formats a line with the memory and handles of the service after a part of the load. */
export function report(round: number, requests: number, measurements: readonly Measurement[]): string {
  const last = measurements.at(-1)
  if (last === undefined) return ''
  const resources = Object.entries(last.resources).map(([name, count]) => `${name} ${count}`)
  return [
    `part ${round}: ${requests} requests`,
    `heap ${inMebibytes(last.heapUsed)}`,
    `outside ${inMebibytes(last.external)}`,
    `process ${inMebibytes(last.rss)}`,
    `${last.connections} connections`,
    `${last.descriptors.length} descriptors`,
    `${last.listeners} listeners`,
    `resources ${resources.join(' ')}`,
    `database ${last.isDatabaseIdle ? 'idle' : 'busy'}`,
  ].join(', ')
}

function inMebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(2)} MiB`
}

/** How much a figure grows from one measurement to the next: the line through all of them that fits best. */
function slope(figures: readonly number[]): number {
  const middle = (figures.length - 1) / 2
  const mean = figures.reduce((sum, figure) => sum + figure, 0) / figures.length
  const products = figures.reduce((sum, figure, index) => sum + (index - middle) * (figure - mean), 0)
  return products / figures.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
}

/** Everything that must not be, in sentences. The first measurement is what the others are compared with. */
export function errorsOf(load: Load, measurements: readonly Measurement[]): string[] {
  const [first, last] = [measurements[0], measurements.at(-1)]
  if (first === undefined || last === undefined) return ['Nothing was measured.']
  const errors = [...memoryFaults(load, measurements), ...last.uncaught, ...last.failures]
  const count = (members: Readonly<Record<string, number>>): number =>
    Object.values(members).reduce((sum, one) => sum + one, 0)
  if (last.connections > 0) errors.push(`${last.connections} connections are open.`)
  if (load.stuck > 0) errors.push(`${load.stuck} connections were left open for too long.`)
  if (last.descriptors.length > first.descriptors.length + mostMore) {
    errors.push(`There are more and more file descriptors: ${last.descriptors.join(' ')}`)
  }
  if (count(last.resources) > count(first.resources) + mostMore)
    errors.push('There are more and more handles.')
  if (last.listeners > first.listeners) errors.push('There are more and more listeners.')
  if (measurements.some(({ isDatabaseIdle }) => !isDatabaseIdle)) errors.push('A transaction was left open.')
  for (const [kind, counts] of load.statuses) {
    for (const status of ['500', '502'])
      if (counts.has(status)) errors.push(`There were responses with status ${status}: ${kind}.`)
  }
  return errors
}

function memoryFaults(load: Load, measurements: readonly Measurement[]): string[] {
  const perPart = load.requests / measurements.length
  return (['heapUsed', 'external'] as const).flatMap((name) => {
    const growth = slope(measurements.slice(1).map((one) => one[name]))
    const perRequest = growth / perPart
    console.log(`${name}: ${perRequest.toFixed(1)} bytes more with each request`)
    const isLeak = perRequest > mostPerRequest && growth * (measurements.length - 2) > mostGrowth
    return isLeak ? [`${name} becomes more and more.`] : []
  })
}
