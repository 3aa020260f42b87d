import express from 'express'
import { codePoint, fc, runs } from '../support/random.js'
import { odataV2 } from '../../lib/odata-v2.js'
import { parseXml } from '../../lib/xml/parse-xml.js'
import { Failures } from '../support/failures.js'
import type { HttpResponse } from '../support/http-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { customizedServiceIn } from '../support/services/customized-service.js'
import { exampleService } from '../support/services/example-service.js'

const failures = new Failures()
let server: TestServer
beforeAll(async () => {
  const app = express()
  app.use('/n', exampleService({ onError: failures.onError, pageSize: 2 }))
  app.use('/blog', customizedServiceIn(odataV2, { onError: failures.onError }))
  server = await TestServer.start(app)
})
afterAll(() => server.stop())

/** Words that mean something somewhere, so that garbage gets far. */
const words = fc.constantFrom(
  ...[
    'Categories',
    'Products',
    'Lines',
    'Parties',
    'Photos',
    'ByRating',
    'Best',
    'Total',
    'Names',
    'Sizes',
    'Largest',
  ],
  ...[
    'ID',
    'Name',
    'Price',
    'Dims',
    'W',
    'Category',
    'Portrait',
    'Born',
    '$links',
    '$value',
    '$count',
    '$metadata',
  ],
  ...[
    'C.Products',
    '(1)',
    '(Order=7,No=1)',
    "('x')",
    '()',
    '(ID=1)',
    '(null)',
    "(datetime'2000-01-01')",
    '(1L)',
    '(-0)',
  ],
  ...[
    '%27',
    '%2F',
    '%252F',
    '%',
    '%ZZ',
    '%C3%28',
    '%00',
    '..',
    '.',
    '//',
    '?',
    '#',
    "'",
    '(',
    ')',
    ',',
    '=',
    '+',
    '&',
    ';',
    '@',
    '*',
  ],
)
const operators = fc.constantFrom(
  ...[
    ' eq ',
    ' and ',
    ' or ',
    ' not ',
    'not ',
    ' add ',
    ' div ',
    ' mod ',
    ' lt ',
    ' ne ',
    '-',
    ' ',
    '(',
    ')',
    ',',
    '/',
  ],
  ...[
    'null',
    'true',
    '1',
    '0',
    '2147483648',
    '1L',
    '2.5M',
    '1e400',
    'NaN',
    "'x'",
    "''",
    "X'0'",
    "guid'0'",
    "time'PT1H'",
  ],
  ...[
    "datetime'2000-02-30'",
    'substringof(',
    'length(',
    'year(',
    'cast(',
    "isof('NW.Person')",
    'round(',
    'concat(',
  ],
  ...[
    'Name',
    'Price',
    'Stock',
    'Dims/W',
    'Category/Name',
    'Category',
    'Released',
    'Opens',
    'Code',
    'Pic',
    'ID',
    'Name desc',
  ],
)
const noise = fc.string({ unit: codePoint, maxLength: 8 })
const expression = fc
  .array(fc.oneof({ weight: 8, arbitrary: operators }, noise), { maxLength: 10 })
  .map((parts) => parts.join(''))
const value = fc.oneof(
  { weight: 6, arbitrary: expression },
  fc.constantFrom(
    'allpages',
    'none',
    'json',
    'atom',
    'xml',
    '1',
    '0',
    '-1',
    '99999999999',
    '*',
    'Products/Category',
    'null,1',
    '1,2',
  ),
  noise,
)
const optionName = fc.constantFrom(
  ...[
    '$filter',
    '$orderby',
    '$top',
    '$skip',
    '$skiptoken',
    '$expand',
    '$select',
    '$inlinecount',
    '$format',
    '$count',
    '$x',
    'min',
    'x',
  ],
)
const option = fc
  .tuple(optionName, value, fc.boolean())
  .map(
    ([name, text, encoded]) =>
      `${name}=${encoded ? encodeURIComponent(text.toWellFormed()) : sendable(text)}`,
  )
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.oneof({ weight: 5, arbitrary: words }, noise.map(sendable)), { maxLength: 5 })
      .map((parts) => parts.join('/')),
  },
  fc
    .array(fc.oneof({ weight: 5, arbitrary: words }, noise.map(sendable)), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.constantFrom(
    'Products',
    'Categories',
    'Products(1)',
    'Categories(1)/Products',
    'Lines',
    'Parties',
    'Categories(1)/$links/Products',
  ),
)
const target = fc
  .tuple(fc.constantFrom('/n', '/blog'), path, fc.array(option, { maxLength: 4 }))
  .map(([mount, rest, options]) => `${mount}/${rest}${options.length === 0 ? '' : `?${options.join('&')}`}`)

/** Node's client refuses to send blanks and anything that is not ASCII; servers never see them. */
function sendable(text: string): string {
  return text.replace(/[^!-~]/g, (character) => encodeURIComponent(character.toWellFormed()))
}

const headerValue = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abz/;=,*"\\ .019-WGMT:+'), maxLength: 30 }),
  fc.constantFrom(
    'application/json',
    'application/atom+xml',
    '*/*;q=0',
    'W/"3"',
    '"3"',
    '*',
    'bytes=0-1',
    '1.0',
    '2.0',
    '3.0',
    'Thu, 01 Jan 2090 00:00:00 GMT',
  ),
)
const headerName = fc.constantFrom(
  ...[
    'Accept',
    'DataServiceVersion',
    'MaxDataServiceVersion',
    'If-Match',
    'If-None-Match',
    'If-Modified-Since',
    'If-Range',
  ],
  ...[
    'Range',
    'Content-Type',
    'X-HTTP-Method',
    'X-Forwarded-Host',
    'X-Forwarded-Prefix',
    'X-Forwarded-Proto',
    'Slug',
    'Prefer',
    'Cookie',
  ],
)
const headers = fc.dictionary(headerName, headerValue, { maxKeys: 3 })
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('GET') },
  fc.constantFrom('HEAD', 'OPTIONS', 'PROPFIND', 'TRACE'),
)

/** Checks the rules for every response, whatever the request. */
function check({ status, headers: given, text, bytes }: HttpResponse, requested: string): void {
  expect([requested, status]).toEqual([requested, status < 500 || status === 501 ? status : 'no 5xx but 501'])
  expect(given).toMatchObject({
    'x-content-type-options': 'nosniff',
    dataserviceversion: expect.stringMatching(/^[12]\.0$/),
  })
  if (bytes.length === 0) return
  const type = given['content-type'] ?? ''
  if (type.includes('json')) JSON.parse(text)
  else if (type.includes('xml')) parseXml(text)
}

describe('Garbage', () => {
  it('MUST always receive a valid document without status 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(method, target, headers, async (verb, uri, head) => {
        const response = await server.send(uri, { method: verb, headers: head })
        check(response, uri)
      }),
      { numRuns: runs(1000) },
    )
    expect(failures.errors).toEqual([])
  })

  it('MUST not get further in the Host header', async () => {
    const host = fc.string({
      unit: fc.constantFrom(...'ab1.-_:[]<>"\'&%@/\\ ?#'),
      minLength: 1,
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(host, async (Host) => {
        const response = await server.send('/n/Categories(1)', { headers: { Host } })
        check(response, Host)
        if (response.status === 200) expect(response.text).toContain(`xml:base="http://${Host.trim()}/n/"`)
        else expect(response.status).toBe(400)
      }),
      { numRuns: runs(200) },
    )
  })

  it.each([
    ['many parentheses', `/n/Products?$filter=${'('.repeat(3000)}`],
    ['many brackets that close', `/n/Products?$filter=${'('.repeat(1000)}true${')'.repeat(1000)}`],
    ['a long chain', `/n/Products?$filter=true${'%20and%20true'.repeat(500)}`],
    ['many nots', `/n/Products?$filter=${'not%20'.repeat(1200)}true`],
    ['many minuses', `/n/Products?$filter=${'-'.repeat(5000)}1%20eq%201`],
    ['a long number', `/n/Products?$filter=Price%20eq%20${'9'.repeat(6000)}`],
    ['a long fraction', `/n/Products?$filter=Price%20eq%200.${'9'.repeat(6000)}M`],
    ['a large exponent', '/n/Products?$filter=Price%20eq%201e999999999'],
    ['a long string', `/n/Products?$filter=Name%20eq%20'${'x'.repeat(6000)}'`],
    ['many quotes', `/n/Products?$filter=Name%20eq%20'${"''".repeat(2500)}'`],
    ['a deep path', `/n/Products(1)${'/Category/Products(1)'.repeat(300)}`],
    ['many segments', `/n${'/a'.repeat(3000)}`],
    ['many options', `/n/Products?${'a=1&'.repeat(1900)}`],
    ['a long select', `/n/Products?$select=${'ID,'.repeat(2000)}ID`],
    ['a long expand', `/n/Products?$expand=${'Category,'.repeat(800)}Category`],
    ['a deep expand', `/n/Products?$expand=Category${'/Products/Category'.repeat(300)}`],
    ['many terms', `/n/Products?$orderby=${'ID,'.repeat(2000)}ID`],
    ['a long key', `/n/Products(${'1'.repeat(7000)})`],
    ['a long token', `/n/Products?$skiptoken=${'1,'.repeat(3000)}1`],
    ['a long name', `/n/${'x'.repeat(8000)}`],
    ['escapes of escapes', `/n/Products(%27${'%2525'.repeat(1000)}%27)`],
  ])('MUST never receive 5xx: %s', async (_what, uri) => {
    const response = await server.send(uri)
    check(response, uri.slice(0, 60))
    expect(response.status).toBeLessThan(500)
  })
})
