import type { TestServer } from './http-exchange.js'
import { RawClient } from './raw-client.js'

const json = 'Accept: application/json'
const entry = JSON.stringify({ ID: 9, Name: 'New' })
const batch = [
  '--b',
  'Content-Type: application/http',
  'Content-Transfer-Encoding: binary',
  '',
  'GET Categories(1) HTTP/1.1',
  'Accept: application/json',
  '',
  '',
  '--b--',
  '',
].join('\r\n')

/** Requests of every kind to the example service under `/n`: the request line, headers, and a body. */
const questions: readonly (readonly [line: string, headers: readonly string[], body?: string])[] = [
  ['GET /n/ HTTP/1.1', []],
  ['GET /n HTTP/1.1', [json]],
  ['GET /n?$format=json HTTP/1.1', []],
  ['GET /n/$metadata HTTP/1.1', []],
  ['GET /n/Categories(1) HTTP/1.1', []],
  ['GET /n/Categories(1)?$format=json HTTP/1.1', []],
  ['GET /n/Products?$expand=Category&$orderby=Name%20desc&$top=3&$inlinecount=allpages HTTP/1.1', [json]],
  ["GET /n/Products?$filter=Name%20eq%20'a%2Fb' HTTP/1.1", [json]],
  ['GET /n/Categories/$count HTTP/1.1', []],
  ['GET /n/Photos(1)/$value HTTP/1.1', []],
  ['GET /n/Photos(1)/$value HTTP/1.1', ['Range: bytes=2-5']],
  ['HEAD /n/Photos(1)/$value HTTP/1.1', []],
  ['HEAD /n/Categories(1) HTTP/1.1', []],
  ['OPTIONS /n/Categories(1) HTTP/1.1', []],
  ['DELETE /n/$metadata HTTP/1.1', []],
  ['TRACE /n/ HTTP/1.1', []],
  ['GET /n/Nothing HTTP/1.1', []],
  ['GET /n/Categories(%ZZ) HTTP/1.1', [json]],
  ['GET http://other.example/n/Categories(1) HTTP/1.1', []],
  ['GET /n/Categories(1) HTTP/1.0', []],
  ['GET /n/Categories(1) HTTP/1.1', ['Accept: text/nothing']],
  ['GET /n/Products(1) HTTP/1.1', ['If-None-Match: W/"3"']],
  ['POST /n/Categories HTTP/1.1', [json, 'Content-Type: application/json'], entry],
  ['POST /n/Categories HTTP/1.1', ['Content-Type: application/json', 'Expect: 100-continue'], '{'],
  ['POST /n/$batch HTTP/1.1', ['Content-Type: multipart/mixed; boundary=b'], batch],
  ['PUT /n/Categories(2)/Name/$value HTTP/1.1', ['Content-Type: text/plain'], 'Bread'],
]

/** Returns the responses of a server to requests of every kind, byte for byte except for the time and random names. */
export async function rawResponses(
  server: TestServer,
  others: readonly (readonly [line: string, headers: readonly string[]])[] = [],
): Promise<readonly string[]> {
  const responses: string[] = []
  for (const [line, headers, body = ''] of [...questions, ...others]) {
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    const head = [line, 'Host: h.example', 'Connection: close', ...headers, ...length]
    const client = await RawClient.connect(server.port)
    await client.write(`${head.join('\r\n')}\r\n\r\n${body}`)
    responses.push(`${line}\n${withoutChance(await client.end())}`)
  }
  return responses
}

function withoutChance(response: string): string {
  return response
    .replace(/^(?:Date|Last-Modified): .*\r\n/gm, '')
    .replace(/<updated>[^<]*<\/updated>/g, '')
    .replace(/(batch(?:response)?_)[\w-]+/g, '$1')
}
