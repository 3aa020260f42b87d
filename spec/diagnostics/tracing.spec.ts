import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, ContextManager } from '@opentelemetry/api'
import * as opentelemetry from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import express from 'express'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../sample-app/northwind/northwind-service.js'
import type { ODataV2Options, Provider } from '../../lib/index.js'
import { memoryProvider, odataV2, tracing } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

/** Contexts that follow promises, as those of the SDK for Node do. */
class AsyncContexts implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>()

  active(): Context {
    return this.storage.getStore() ?? opentelemetry.ROOT_CONTEXT
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    work: F,
    _self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(context, () => work(...args))
  }

  bind<T>(_context: Context, target: T): T {
    return target
  }

  enable(): this {
    return this
  }

  disable(): this {
    return this
  }
}

const exporter = new InMemorySpanExporter()
const spans = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
let stopTracing: () => void

beforeAll(() => {
  opentelemetry.trace.setGlobalTracerProvider(spans)
  opentelemetry.context.setGlobalContextManager(new AsyncContexts())
})
beforeEach(() => {
  exporter.reset()
  stopTracing = tracing(opentelemetry)
})
afterEach(() => {
  stopTracing()
})
afterAll(async () => {
  opentelemetry.trace.disable()
  opentelemetry.context.disable()
  await spans.shutdown()
})

async function send(path: string, options: ODataV2Options = {}, change?: (provider: Provider) => Provider) {
  const functions = northwindFunctions
  const provider: Provider = memoryProvider(northwindModel, northwindData, { functions })
  const app = express()
  app.use('/n', odataV2(northwindModel, (change ?? ((one) => one))(provider), options))
  const server = await TestServer.start(app)
  const response = await server.send(`/n/${path}`)
  await server.stop()
  return response
}

const finished = () => exporter.getFinishedSpans()
const named = (name: string) => finished().find((one) => one.name === name)

describe('Spans of OpenTelemetry', () => {
  it('MUST be named by operation and resource, without keys and filters', async () => {
    await send('Products(1)?$format=json')
    const span = named('OData read Entity Products')
    expect(span?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'odata.service_path': '/n/',
      'odata.resource_kind': 'Entity',
      'odata.entity_set': 'Products',
      'odata.operation': 'read',
      'odata.rows': 1,
    })
    expect(JSON.stringify(span?.attributes)).not.toContain('Products(1)')
  })

  it('MUST be parents of the spans of provider calls', async () => {
    await send('Products(1)?$format=json')
    const outer = named('OData read Entity Products')
    const inner = named('provider readByKey Products')
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
    expect(inner?.attributes).toEqual({
      'odata.provider.call': 'readByKey',
      'odata.entity_set': 'Products',
      'odata.rows': 1,
    })
  })

  it('MUST be the context of the work of providers', async () => {
    await send('Products(1)', {}, (provider) => {
      const { Products } = provider.entitySets
      const readByKey = async () => {
        await Promise.resolve()
        opentelemetry.trace.getTracer('database').startSpan('select').end()
        return northwindData.Products[0]
      }
      return {
        ...provider,
        entitySets: { ...provider.entitySets, Products: { ...Products, readByKey } as never },
      }
    })
    const call = named('provider readByKey Products')
    expect(named('select')?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId)
  })

  it('MUST be children of the active span of the application', async () => {
    const outer = opentelemetry.trace.getTracer('application').startSpan('job')
    const within = opentelemetry.trace.setSpan(opentelemetry.context.active(), outer)
    await opentelemetry.context.with(within, () => send('Products/$count'))
    outer.end()
    const span = named('OData read EntityCount Products')
    expect(span?.spanContext().traceId).toBe(outer.spanContext().traceId)
  })

  it('MUST have the exception and the status of a failed request', async () => {
    const failure = new Error('The disk is full.')
    await send('Products(1)', { onError: () => undefined }, (provider) => {
      const readByKey = () => Promise.reject(failure)
      const Products = { ...provider.entitySets.Products, readByKey } as never
      return { ...provider, entitySets: { ...provider.entitySets, Products } }
    })
    for (const name of ['OData read Entity Products', 'provider readByKey Products']) {
      expect(named(name)?.status.code).toBe(opentelemetry.SpanStatusCode.ERROR)
      expect(named(name)?.events[0]?.attributes?.['exception.message']).toBe('The disk is full.')
    }
  })

  it('MUST not be failures where the client is to blame', async () => {
    await send('Products(4711)')
    const span = named('OData read Entity Products')
    expect(span?.attributes['http.response.status_code']).toBe(404)
    expect(span?.status.code).toBe(opentelemetry.SpanStatusCode.UNSET)
  })

  it('MUST end with tracing', async () => {
    stopTracing()
    await send('Products(1)')
    expect(finished()).toEqual([])
  })
})
