import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import * as opentelemetry from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import express from 'express'
import type { Authorize, MetricsOptions } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, metrics, ODataError, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() } },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})
const Products = Array.from({ length: 20 }, (_, ID) => ({ ID, Name: `Product ${String(ID)}` }))

let server: TestServer
let stop: () => void
let scrape: () => Promise<string>

async function start(options: MetricsOptions = {}, authorize?: Authorize): Promise<void> {
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const provider = new MeterProvider({ readers: [exporter] })
  opentelemetry.metrics.setGlobalMeterProvider(provider)
  stop = metrics(opentelemetry, options)
  const metricsServer = createServer((req, res) => {
    exporter.getMetricsRequestHandler(req, res)
  }).listen(0, '127.0.0.1')
  await once(metricsServer, 'listening')
  const { port } = metricsServer.address() as AddressInfo
  scrape = async () => (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text()
  server = await TestServer.start(
    express().use(
      '/shop',
      odataV2(model, memoryProvider(model, { Products }), {
        onError: () => undefined,
        authorize,
        context: (req) => {
          if (req.get('x-user') === 'broken') throw new Error('There is no session.')
          if (req.get('x-user') === 'none') throw new ODataError('Unauthorized')
        },
      }),
    ),
  )
  stopAll = async () => {
    stop()
    await server.stop()
    metricsServer.close()
    await provider.shutdown()
    opentelemetry.metrics.disable()
  }
}
let stopAll: () => Promise<void>
afterEach(() => stopAll())

/** Lines of one metric without the names of the scope. */
async function linesOf(name: string): Promise<string[]> {
  const text = await scrape()
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => line.replace(/,?otel_scope_\w+="[^"]*"/g, ''))
}

describe('The metrics of a service, as Prometheus scrapes them', () => {
  it('MUST count requests by route, method and status, with their durations', async () => {
    await start()
    for (let ID = 0; ID < 3; ID++) await server.send(`/shop/Products(${String(ID)})?$format=json`)
    await server.send('/shop/Products(99)')
    await server.send('/shop/Nothing')
    await server.send('/shop/$metadata')
    await server.send('/shop/Products', { headers: { 'x-user': 'broken' } })
    await server.send('/shop/Products', { method: 'PROPFIND' })
    expect(await linesOf('odata_server_request_duration_count')).toEqual([
      'odata_server_request_duration_count{http_request_method="GET",http_response_status_code="200",http_route="/shop/Products"} 3',
      'odata_server_request_duration_count{http_request_method="GET",http_response_status_code="404",http_route="/shop/Products"} 1',
      'odata_server_request_duration_count{http_request_method="GET",http_response_status_code="404",http_route="/shop/"} 1',
      'odata_server_request_duration_count{http_request_method="GET",http_response_status_code="200",http_route="/shop/$metadata"} 1',
      'odata_server_request_duration_count{http_request_method="GET",http_response_status_code="500",http_route="/shop/Products",error_type="500"} 1',
      expect.stringMatching(/http_request_method="_OTHER"/),
    ])
    const buckets = await linesOf('odata_server_request_duration_bucket')
    expect(buckets.filter((line) => line.includes('le="0.005"')).length).toBe(6)
    const text = await scrape()
    expect(text).not.toContain('127.0.0.1')
    expect(text.match(/# TYPE odata_server_request_duration /g)).toHaveLength(1)
  })

  it.each<[service: string, authorize: Authorize | undefined]>([
    ['without authorization', undefined],
    ['that authorizes reads before their snapshot', () => undefined],
  ])('MUST count parts of batches, rows and bytes of a service %s', async (_service, authorize) => {
    await start({}, authorize)
    const part = (path: string): string =>
      `--b\r\nContent-Type: application/http\r\n\r\nGET ${path} HTTP/1.1\r\n\r\n\r\n`
    const sent = await server.send('/shop/$batch', {
      method: 'POST',
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: `${part('Products')}${part('Products(1)')}--b--\r\n`,
    })
    expect(sent.status).toBe(202)
    const [parts] = await linesOf('odata_server_part_duration_count')
    expect(parts).toMatch(/http_route="\/shop\/Products"\} 2$/)
    const [batch] = await linesOf('odata_server_request_duration_count')
    expect(batch).toContain('http_route="/shop/$batch"')
    expect(await linesOf('odata_server_rows_total')).toEqual([
      'odata_server_rows_total{http_route="/shop/Products"} 21',
    ])
    expect(await linesOf('odata_server_response_size_total')).toEqual([
      `odata_server_response_size_total{http_route="/shop/$batch"} ${String(sent.bytes.length)}`,
    ])
  })

  it('MUST count hits and misses of the page cache, and exceeded limits', async () => {
    await start()
    for (let time = 0; time < 4; time++) await server.send('/shop/Products?$format=json')
    await server.send(
      '/shop/Products?$orderby=ID,Name,ID,Name,ID,Name,ID,Name,ID,Name,ID,Name,ID,Name,ID,Name,ID,Name,ID,Name,ID',
    )
    expect(await linesOf('odata_page_cache_lookups_total')).toEqual([
      'odata_page_cache_lookups_total{odata_cache_result="hit"} 2',
      'odata_page_cache_lookups_total{odata_cache_result="miss"} 2',
      'odata_page_cache_lookups_total{odata_cache_result="shared"} 0',
    ])
    expect(await linesOf('odata_limits_exceeded_total')).toEqual([
      'odata_limits_exceeded_total{odata_limit="orderByTerms"} 1',
    ])
  })

  it('MUST show connections of pools, and requests that wait for one', async () => {
    await start({ pools: { shop: { totalCount: 5, idleCount: 2, waitingCount: 7 } } })
    expect(await linesOf('db_client_connection_count')).toEqual([
      'db_client_connection_count{db_client_connection_pool_name="shop",db_client_connection_state="idle"} 2',
      'db_client_connection_count{db_client_connection_pool_name="shop",db_client_connection_state="used"} 3',
    ])
    expect(await linesOf('db_client_connection_pending_requests')).toEqual([
      'db_client_connection_pending_requests{db_client_connection_pool_name="shop"} 7',
    ])
  })

  it('MUST end when they are stopped, and not be enabled twice', async () => {
    await start()
    expect(() => metrics(opentelemetry)).toThrow('metrics are already enabled')
    stop()
    await server.send('/shop/Products')
    expect(await linesOf('odata_server_request_duration_count')).toEqual([])
    metrics(opentelemetry)()
  })
})
