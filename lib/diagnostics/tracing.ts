import type { Channel } from 'node:diagnostics_channel'
import type { Enclosing, ProviderEvent, RequestEvent } from './channels.js'
import { channels } from './channels.js'

/**
 * The members of an OpenTelemetry span that {@link tracing} uses.
 *
 * @example
 * import { trace } from '@opentelemetry/api'
 * const span: TracingSpan = trace.getTracer('shop').startSpan('import')
 */
export interface TracingSpan {
  setAttributes(attributes: Readonly<Record<string, string | number>>): unknown
  setStatus(status: { readonly code: number; readonly message?: string }): unknown
  recordException(exception: Error): void
  updateName(name: string): unknown
  end(): void
}

/**
 * The members of the module `@opentelemetry/api` that {@link tracing} uses.
 *
 * @example
 * import * as opentelemetry from '@opentelemetry/api'
 * const api: TracingApi = opentelemetry
 */
export interface TracingApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { readonly kind: number }, context: never): TracingSpan
    }
    readonly setSpan: (context: never, span: never) => unknown
  }
  readonly context: {
    active(): unknown
    with(context: never, work: () => unknown): unknown
  }
}

/** `SpanKind.INTERNAL` and `SpanKind.CLIENT` */
const internal = 0
const client = 2
/** `SpanStatusCode.ERROR` */
const failed = 2

/**
 * Creates OpenTelemetry spans for the requests of all services of the process, with child spans for calls of providers and
 * parts of batches. Spans of instrumented database drivers are children of the calls. Names and attributes have low
 * cardinality: no keys, filters or URLs.
 *
 * @param api the module `@opentelemetry/api` of the application
 * @returns a function that stops tracing
 * @example
 * import * as opentelemetry from '@opentelemetry/api'
 * const stopTracing = tracing(opentelemetry)
 * @spec OpenTelemetry semantic conventions for HTTP (attribute names)
 */
export function tracing(api: TracingApi): () => void {
  const tracer = api.trace.getTracer('express-odata-v2')
  const spans = new WeakMap<object, TracingSpan>()
  const begin = (event: Enclosing, name: string, kind: number, parent: object | undefined): void => {
    const active = api.context.active()
    const outer = parent === undefined ? undefined : spans.get(parent)
    const around = outer === undefined ? active : api.trace.setSpan(active as never, outer as never)
    const span = tracer.startSpan(name, { kind }, around as never)
    spans.set(event, span)
    const inside = api.trace.setSpan(around as never, span as never)
    const { within } = event
    event.within = <T>(work: () => T): T =>
      api.context.with(inside as never, () => (within === undefined ? work() : within(work))) as T
  }
  const end = (event: object, name: string, attributes: Attributes, isFailure: boolean): void => {
    const span = spans.get(event)
    if (span === undefined) return
    spans.delete(event)
    span.updateName(name)
    span.setAttributes(given(attributes))
    if (isFailure) span.setStatus({ code: failed })
    span.end()
  }
  const fail = (event: RequestEvent | ProviderEvent): void => {
    const { error } = event
    spans.get(event)?.recordException(error instanceof Error ? error : new Error(String(error)))
  }
  return subscribe([
    [channels.request.start, (event: RequestEvent) => begin(event, 'OData', internal, undefined)],
    [channels.part.start, (event: RequestEvent) => begin(event, 'OData', internal, event.batch)],
    [
      channels.provider.start,
      (event: ProviderEvent) => begin(event, nameOfCall(event), client, event.request),
    ],
    ...[channels.request.end, channels.part.end].map(
      (one) =>
        [
          one,
          (event: RequestEvent) => end(event, nameOf(event), attributesOf(event), (event.status ?? 0) >= 500),
        ] as const,
    ),
    [
      channels.provider.end,
      (event: ProviderEvent) =>
        end(event, nameOfCall(event), attributesOfCall(event), event.error !== undefined),
    ],
    [channels.request.error, fail],
    [channels.part.error, fail],
    [channels.provider.error, fail],
  ])
}

type Attributes = Readonly<Record<string, string | number | undefined>>

function nameOf({ kind, operation, functionImport, entitySet }: RequestEvent): string {
  if (kind === undefined) return 'OData'
  const what = functionImport ?? entitySet
  return ['OData', operation ?? 'options', kind, ...(what === undefined ? [] : [what])].join(' ')
}

function attributesOf(event: RequestEvent): Attributes {
  const { method, status, rows, bytes } = event
  return {
    'http.request.method': method,
    'http.response.status_code': status,
    'http.response.body.size': bytes,
    // Without the host, which clients choose.
    'odata.service_path': event.serviceRoot.replace(/^[a-z]+:\/\/[^/]*/, ''),
    'odata.resource_kind': event.kind,
    'odata.entity_set': event.entitySet,
    'odata.function_import': event.functionImport,
    'odata.operation': event.operation,
    'odata.rows': rows,
  }
}

function nameOfCall({ call, entitySet }: ProviderEvent): string {
  return entitySet === undefined ? `provider ${call}` : `provider ${call} ${entitySet}`
}

function attributesOfCall({ call, entitySet, rows }: ProviderEvent): Attributes {
  return { 'odata.provider.call': call, 'odata.entity_set': entitySet, 'odata.rows': rows }
}

function given(attributes: Attributes): Record<string, string | number> {
  const present: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) present[name] = value
  return present
}

/** Listeners know the type of the events of their channel. */
type Listener = (event: never) => void

function subscribe(listeners: readonly (readonly [Channel, Listener])[]): () => void {
  const all = listeners.map(
    ([channel, listener]) => [channel, listener as (message: unknown) => void] as const,
  )
  for (const [channel, listener] of all) channel.subscribe(listener)
  return () => {
    for (const [channel, listener] of all) channel.unsubscribe(listener)
  }
}
