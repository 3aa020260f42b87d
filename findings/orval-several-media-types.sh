#!/usr/bin/env bash
# orval 7.13.0, client `fetch`: the type of a request body that a document describes in two formats.
#
# If a body has the media type application/json only, the generated function sends `Content-Type: application/json`. As
# soon as the document lists a second media type, for example XML, the function still sends JSON text, but without the
# header: fetch adds text/plain, and a server that checks media types responds with 415. The generated code compiles in
# both cases. Describe such bodies in JSON only.
#
# Output seen:
#   JSON only      application/json
#   JSON and XML   text/plain;charset=UTF-8
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts orval@7.13.0 typescript@5.9.3

cat >run.mjs <<'SCRIPT'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const schema = { type: 'object', properties: { Name: { type: 'string' } } }
const expected = {
  'JSON only': [['application/json'], 'application/json'],
  'JSON and XML': [['application/json', 'application/xml'], 'text/plain;charset=UTF-8'],
}
for (const [title, [mediaTypes, header]] of Object.entries(expected)) {
  const content = Object.fromEntries(mediaTypes.map((one) => [one, { schema: one.endsWith('json') ? schema : { type: 'string' } }]))
  const post = { operationId: 'create', requestBody: { required: true, content }, responses: { 204: { description: 'Done' } } }
  const folder = title.replaceAll(' ', '-')
  mkdirSync(folder)
  writeFileSync('api.json', JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/items': { post } } }))
  execFileSync('npx', ['orval', '--input', './api.json', '--output', `./${folder}/client.ts`, '--client', 'fetch'], { stdio: 'pipe' })
  const { outputText } = ts.transpileModule(readFileSync(`${folder}/client.ts`, 'utf8'), { compilerOptions: { module: 'esnext', target: 'es2022' } })
  writeFileSync(`${folder}/client.mjs`, outputText)
  let sent
  globalThis.fetch = async (url, options) => {
    sent = new Request(`http://localhost${url}`, options).headers.get('content-type')
    return new Response(null, { status: 204 })
  }
  const { create } = await import(`./${folder}/client.mjs`)
  await create({ Name: 'x' })
  console.log(title.padEnd(14), sent)
  if (sent !== header) process.exitCode = 1
}
SCRIPT
node run.mjs
