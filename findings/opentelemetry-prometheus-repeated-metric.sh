#!/usr/bin/env bash
# @opentelemetry/exporter-prometheus 0.223.0 with sdk-metrics 2.12.0: when two libraries of a process record a metric with
# the same name, such as http.server.request.duration, the page has two groups of this name, each with its own HELP and
# TYPE line. The text format of Prometheus allows one of each, with all lines of a metric in one group; strict parsers reject
# the page. The unit of a metric is not part of its name either: seconds are a comment, not the suffix _seconds.
#
# Seen: two lines "# TYPE http_server_request_duration histogram", and no name with _seconds.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.1 @opentelemetry/sdk-metrics@2.12.0 \
  @opentelemetry/exporter-prometheus@0.223.0
cat >run.mjs <<'JS'
import { createServer } from 'node:http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'

const exporter = new PrometheusExporter({ preventServerStart: true })
const provider = new MeterProvider({ readers: [exporter] })
for (const library of ['http-instrumentation', 'framework']) {
  const histogram = provider
    .getMeter(library)
    .createHistogram('http.server.request.duration', { unit: 's', description: 'Duration of requests.' })
  histogram.record(0.01, { 'http.request.method': 'GET' })
}
const server = createServer((req, res) => exporter.getMetricsRequestHandler(req, res)).listen(0)
await new Promise((resolve) => server.once('listening', resolve))
const page = await (await fetch(`http://127.0.0.1:${server.address().port}/metrics`)).text()
server.close()
const types = page.split('\n').filter((line) => line.startsWith('# TYPE http_server'))
console.log(types, 'with the unit in the name:', page.includes('duration_seconds'))
process.exit(types.length === 2 && types[0] === types[1] && !page.includes('duration_seconds') ? 0 : 1)
JS
node run.mjs
