import type { RecordDuration } from './measurement.js'
import { Meter, meters } from './measurement.js'

type Attributes = Record<string, string | number>

/** The result of a callback of an observable instrument. */
interface Observations {
  observe(value: number, attributes?: Attributes): void
}

/**
 * The members of the module `@opentelemetry/api` that {@link metrics} uses.
 *
 * @example
 * import * as opentelemetry from '@opentelemetry/api'
 * const api: MetricsApi = opentelemetry
 */
export interface MetricsApi {
  /** The API of metrics, whose meter creates the instruments. */
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(
        name: string,
        options: {
          readonly description: string
          readonly unit: string
          readonly advice: { explicitBucketBoundaries: number[] }
        },
      ): { record(value: number, attributes: Attributes): void }
      createObservableCounter(name: string, options: InstrumentOptions): ObservableInstrument
      createObservableUpDownCounter(name: string, options: InstrumentOptions): ObservableInstrument
    }
  }
}

interface InstrumentOptions {
  readonly description: string
  readonly unit: string
}

interface ObservableInstrument {
  addCallback(callback: (result: Observations) => void): void
  removeCallback(callback: (result: Observations) => void): void
}

/**
 * Options of {@link metrics}.
 *
 * @example
 * const options: MetricsOptions = { pools: { shop: new pg.Pool() } }
 */
export interface MetricsOptions {
  /** Connection pools by name, such as those of `pg`, whose connections and waiting requests are counted. Default: none. */
  readonly pools?:
    | Readonly<
        Record<
          string,
          { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }
        >
      >
    | undefined
}

/** Boundaries in seconds, as the semantic conventions advise. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/**
 * Measures the requests of all services of the process with OpenTelemetry: durations, rows, bytes, hits of the page cache,
 * exceeded limits and connections of pools. Attributes have low cardinality: no keys, filters, users or hosts.
 *
 * @param api the module `@opentelemetry/api` of the application, with a meter provider
 * @param options `pools`: connection pools by name. Default: none
 * @returns a function that stops measuring
 * @throws TypeError if it was called before and not stopped
 * @example
 * import * as opentelemetry from '@opentelemetry/api'
 * const stopMetrics = metrics(opentelemetry)
 * @spec OpenTelemetry semantic conventions for HTTP and databases (names of attributes)
 */
export function metrics(api: MetricsApi, { pools = {} }: MetricsOptions = {}): () => void {
  if (meters.current !== undefined)
    throw new TypeError('metrics: metrics are already enabled. Stop them first.')
  const otel = api.metrics.getMeter('express-odata-v2')
  const durations = (name: string, description: string): RecordDuration => {
    const advice = { explicitBucketBoundaries: DURATION_BUCKETS }
    const histogram = otel.createHistogram(name, { description, unit: 's', advice })
    return (seconds, attributes) => {
      histogram.record(seconds, attributes)
    }
  }
  const meter = new Meter(
    durations('odata.server.request.duration', 'Duration of requests.'),
    durations('odata.server.part.duration', 'Duration of requests in batches.'),
  )
  const stops: (() => void)[] = []
  const observe = (
    kind: 'createObservableCounter' | 'createObservableUpDownCounter',
    [name, unit, description]: readonly [name: string, unit: string, description: string],
    callback: (result: Observations) => void,
  ): void => {
    const instrument = otel[kind](name, { description, unit })
    instrument.addCallback(callback)
    stops.push(() => {
      instrument.removeCallback(callback)
    })
  }
  const perRoute = (member: 'rows' | 'bytes') => (result: Observations) => {
    const sums = new Map<string, number>()
    for (const route of meter.routes.values()) {
      const name = String(route.attributes['http.route'])
      sums.set(name, (sums.get(name) ?? 0) + route[member])
    }
    for (const [name, sum] of sums) if (sum > 0) result.observe(sum, { 'http.route': name })
  }
  const counter = 'createObservableCounter'
  observe(counter, ['odata.server.rows', '{row}', 'Entities that were serialized.'], perRoute('rows'))
  observe(counter, ['odata.server.response.size', 'By', 'Bytes of bodies.'], perRoute('bytes'))
  observe(counter, ['odata.page_cache.lookups', '{lookup}', 'Lookups in the page cache.'], (result) => {
    for (const [name, count] of Object.entries(meter.pages))
      result.observe(count, { 'odata.cache.result': name })
  })
  observe(counter, ['odata.limits.exceeded', '{request}', 'Requests that exceeded a limit.'], (result) => {
    for (const [name, count] of meter.limits) result.observe(count, { 'odata.limit': name })
  })
  const gauge = 'createObservableUpDownCounter'
  if (Object.keys(pools).length > 0) {
    const poolName = 'db.client.connection.pool.name'
    observe(gauge, ['db.client.connection.count', '{connection}', 'Connections of pools.'], (result) => {
      for (const [name, { idleCount, totalCount }] of Object.entries(pools)) {
        const state = 'db.client.connection.state'
        result.observe(idleCount, { [poolName]: name, [state]: 'idle' })
        result.observe(totalCount - idleCount, { [poolName]: name, [state]: 'used' })
      }
    })
    const waiting = [
      'db.client.connection.pending_requests',
      '{request}',
      'Requests that wait for a connection.',
    ] as const
    observe(gauge, waiting, (result) => {
      for (const [name, { waitingCount }] of Object.entries(pools))
        result.observe(waitingCount, { [poolName]: name })
    })
  }
  meters.current = meter
  return () => {
    for (const stop of stops.splice(0)) stop()
    if (meters.current === meter) meters.current = undefined
  }
}
