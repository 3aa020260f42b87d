import type { Violation, ProxiedResponse, ProxiedRequest } from './broken-proxy.js'
import type { BrokenServer } from './broken-queries.js'
import { header, json, notFound, overlooked, replaced, status, text } from './server-faults.js'

const isTicks = (value: unknown): value is string => typeof value === 'string' && value.startsWith('/Date(')
const isMetadata = ({ url }: ProxiedRequest): boolean => url.endsWith('$metadata')
const isRoot = ({ url }: ProxiedRequest): boolean => url.endsWith('/service/')

/** Replaces the content type of some responses. */
function typed(when: (sent: ProxiedRequest) => boolean, type: string): Violation {
  return {
    response: ({ headers }, sent) => {
      if (when(sent)) headers['content-type'] = type
    },
  }
}

/** Fails where others say what is wrong. */
const failing = (pattern: RegExp): Violation => ({
  request: ({ url }) =>
    pattern.test(decodeURIComponent(url)) ? { ...plain('TypeError'), status: 500 } : undefined,
})

function plain(body: string): ProxiedResponse {
  return {
    status: 200,
    headers: { 'content-type': 'text/plain', dataserviceversion: '2.0' },
    body: Buffer.from(body),
  }
}

let turn = 0

/** Bugs in documents, headers and statuses. */
export const brokenDocuments: readonly BrokenServer[] = [
  ['ODATA-ROOT-001', 'the service document is of another namespace', replaced(/2007\/app/, '2008/app')],
  ['ODATA-ROOT-002', 'the service document is HTML', typed(isRoot, 'text/html')],
  ['ODATA-ROOT-003', 'collections have no address', replaced(/<collection href="[^"]*"/g, '<collection')],
  ['ODATA-ROOT-004', 'the service document in JSON is called otherwise', replaced(/"EntitySets"/, '"value"')],
  [
    'ODATA-ROOT-006',
    'the service document names a set that the model has not',
    text((body, sent) => (isRoot(sent) ? body.replace('"Categories"', '"Other"') : body)),
  ],
  ['ODATA-META-001', 'the metadata document is not well-formed', replaced(/<\/Schema>/, '')],
  ['ODATA-META-002', 'the metadata document is plain text', typed(isMetadata, 'text/plain')],
  [
    'ODATA-META-003',
    'schemas are of OData V4',
    replaced(
      /http:\/\/schemas.microsoft.com\/ado\/\d+\/\d+\/edm"/g,
      'http://docs.oasis-open.org/odata/ns/edm"',
    ),
  ],
  ['ODATA-META-005', 'no container is the default one', replaced(/ m:IsDefaultEntityContainer="true"/, '')],
  [
    'ODATA-META-006',
    'a set is of a type that is not there',
    replaced(/(<EntitySet Name="Products" EntityType="NorthwindModel\.)Product"/, '$1Nothing"'),
  ],
  ['ODATA-META-007', 'a type has no key', replaced(/<Key>.*?<\/Key>/s, '')],
  [
    'ODATA-META-009',
    'there is a second container',
    replaced(/<EntityContainer /, '<EntityContainer Name="Second"/><EntityContainer '),
  ],
  [
    'ODATA-META-010',
    'a set is of a derived type',
    replaced(/(<EntitySet Name="Contacts" EntityType="NorthwindModel\.)Party"/, '$1Person"'),
  ],
  [
    'ODATA-META-011',
    'two properties differ only in case',
    replaced(/(<Property Name=")(CategoryName)("[^>]*>)/, '$1$2$3$1categoryname$3'),
  ],
  ['ODATA-HEADER-001', 'DataServiceVersion is missing', header('dataserviceversion', undefined)],
  ['ODATA-HEADER-003', 'answers say that they are of version 3', header('dataserviceversion', '3.0')],
  ['ODATA-HEADER-004', 'MaxDataServiceVersion is overlooked', overlooked('maxdataserviceversion')],
  ['ODATA-HEADER-006', 'the version of requests is overlooked', overlooked('dataserviceversion')],
  [
    'ODATA-HEADER-009',
    'unknown types are sent as another one',
    { request: ({ headers }) => void (headers.accept === 'image/x-audit' && delete headers.accept) },
  ],
  ['ODATA-HEADER-010', 'weights of types are overlooked', overlooked('accept', 'application/json')],
  ['ODATA-HEADER-011', 'Vary is missing', header('vary', undefined)],
  [
    'ODATA-SET-001',
    'feeds are JSON by default',
    { request: (sent) => void (sent.url.includes('?') && (sent.headers.accept ??= 'application/json')) },
  ],
  ['ODATA-SET-003', 'null is left out', json((value) => (value === null ? undefined : value))],
  ['ODATA-SET-007', 'the order is another one every time', reversedEverySecondTime()],
  [
    'ODATA-ENTITY-001',
    'a key leads to another entity',
    {
      request: (sent) =>
        void (sent.url = sent.url.replace(
          /\((\d+)\)/,
          (_all, digits: string) => `(${(Number(digits) % 5) + 1})`,
        )),
    },
  ],
  [
    'ODATA-ENTITY-003',
    '__metadata.uri leads elsewhere',
    replaced(/("uri":"[^"]*Categories)\(\d+\)"/g, '$1(8)"'),
  ],
  ['ODATA-ENTITY-005', 'unknown keys return 200', status(({ status: one }) => one === 404, 200)],
  ['ODATA-KEY-001', 'keys with names are not found', notFound(/\(\w+=[^,]*\)/)],
  ['ODATA-KEY-002', 'the order of keys counts', notFound(/\(ProductID=\d+,OrderID/)],
  ['ODATA-KEY-006', 'parentheses must not be encoded', notFound(/%28/)],
  ['ODATA-KEY-008', 'signs in keys are not decoded', notFound(/\('.*%.*'\)/)],
  [
    'ODATA-NAV-004',
    'options are overlooked behind navigation properties',
    { request: (sent) => void (sent.url = sent.url.replace(/(\)\/\w+)\?.*/, '$1')) },
  ],
  [
    'ODATA-LINKS-001',
    '$links gives entities',
    { request: (sent) => void (sent.url = sent.url.replace('$links/', '')) },
  ],
  [
    'ODATA-PROP-002',
    'the element of a property has another name',
    text((body, { url }) => (/\)\/\w+$/.test(url) ? body.replace(/<(\/?)\w+(?=[ >])/g, '<$1value') : body)),
  ],
  ['ODATA-PROP-003', 'properties have no type', replaced(/ m:type="Edm.Int32"/g, '')],
  ['ODATA-VALUE-001', '$value is JSON', typed(({ url }) => url.endsWith('$value'), 'application/json')],
  ['ODATA-VALUE-003', 'null is an empty text', status((_answer, { url }) => url.endsWith('$value'), 200)],
  ['ODATA-JSON-001', 'there is another member than "d"', replaced(/^\{"d":/, '{"version":2,"d":')],
  [
    'ODATA-JSON-002',
    'feeds are arrays as in version 1',
    replaced(/^\{"d":\{"results":(\[.*\])\}\}$/s, '{"d":$1}'),
  ],
  ['ODATA-JSON-004', 'entities have no type', replaced(/,"type":"[^"]*"/g, '')],
  ['ODATA-JSON-006', 'addresses are relative', replaced(/"uri":"https?:\/\/[^/]+\/service\//g, '"uri":"')],
  [
    'ODATA-JSON-010',
    'dates are written as in XML',
    json((value) => (isTicks(value) ? '2020-01-01T00:00:00' : value)),
  ],
  [
    'ODATA-JSON-012',
    'Edm.Int64 is a number',
    json((value, name) => (name === 'Int64Value' && value !== null ? Number(value) : value)),
  ],
  [
    'ODATA-JSON-013',
    'Edm.Decimal is a number',
    json((value, name) => (name === 'UnitPrice' && value !== null ? Number(value) : value)),
  ],
  ['ODATA-ATOM-001', 'the time of the update is missing', replaced(/<updated>[^<]*<\/updated>/g, '')],
  ['ODATA-ATOM-003', 'fractions are lost in Atom', replaced(/(<d:\w+ m:type="Edm.Decimal">\d+)\.\d+/g, '$1')],
  ['ODATA-ATOM-010', 'entries have no author', replaced(/<author>.*?<\/author>/gs, '')],
  ['ODATA-ATOM-011', 'all entries have the same id', replaced(/<id>[^<]*<\/id>/g, '<id>urn:one</id>')],
  [
    'ODATA-ATOM-012',
    'the edit link leads elsewhere',
    replaced(/(<link rel="edit"[^>]* href=")[^"]*/g, '$1Categories(8)'),
  ],
  [
    'ODATA-ATOM-013',
    'the category is of another scheme',
    replaced(/dataservices\/scheme/g, 'dataservices/other'),
  ],
  ['ODATA-ATOM-015', 'numbers have no type', replaced(/ m:type="Edm.Int32"/g, '')],
  ['ODATA-ATOM-016', 'null is an empty element', replaced(/ m:null="true"/g, '')],
  [
    'ODATA-ATOM-017',
    'links have another relation',
    replaced(/dataservices\/related\//g, 'dataservices/nav/'),
  ],
  ['ODATA-EXPORT-001', 'CSV files are text', typed(({ url }) => url.endsWith('=csv'), 'text/plain')],
  ['ODATA-EXPORT-002', 'an entity is a CSV file', status(({ status: one }) => one === 406, 200)],
  ['ODATA-EXPORT-003', 'Excel files are text', typed(({ url }) => url.endsWith('=xlsx'), 'text/plain')],
  [
    'ODATA-SEARCH-001',
    'an empty search finds nothing',
    { request: (sent) => void (sent.url = sent.url?.replace(/search=(?=&|$)/, 'search=zzzzz')) },
  ],
  [
    'ODATA-SEARCH-002',
    'searches are ignored',
    { request: (sent) => void (sent.url = sent.url?.replace(/search=[^&]*/, '')) },
  ],
  [
    'ODATA-SEARCH-003',
    'an unfinished phrase is an error',
    {
      response: (response, { url }) => {
        if (url.includes('search=%22a')) response.status = 400
      },
    },
  ],
  [
    'ODATA-MEDIA-001',
    'media resources are of another type',
    typed(({ url }) => url.endsWith('$value'), 'text/html'),
  ],
  [
    'ODATA-FUNCIMPORT-002',
    'functions can be called by any method',
    { request: (sent) => void (sent.method = 'GET') },
  ],
  ['ODATA-ERROR-001', 'what is not there is a bad request', status(({ status: one }) => one === 404, 400)],
  [
    'ODATA-ERROR-002',
    'errors are HTML',
    {
      response: (response) =>
        void (response.status >= 400 && (response.headers['content-type'] = 'text/html')),
    },
  ],
  ['ODATA-ERROR-003', 'errors in JSON are called otherwise', replaced(/^\{"error":/, '{"fault":')],
  ['ODATA-ERROR-004', 'messages are texts', replaced(/"message":\{[^}]*"value":("[^"]*")\}/, '"message":$1')],
  ['ODATA-ERROR-007', 'Allow is missing', header('allow', undefined)],
  ['ODATA-QUERY-034', 'names that are not there end in a failure', failing(/AuditNoSuchProperty/)],
  [
    'ODATA-SAFE-001',
    'errors have stack traces',
    replaced(/("value":")/, '$1at Service.answer (/srv/app/lib/service.js:12:5) '),
  ],
  ['ODATA-SAFE-002', 'names of members of objects are found', failing(/constructor/)],
  ['ODATA-SAFE-004', 'many parentheses end in a failure', failing(/\({1000}/)],
]

function reversedEverySecondTime(): Violation {
  return {
    response: (response) => {
      if (turn++ % 2 === 0 || !String(response.headers['content-type']).includes('json')) return
      const { d } = JSON.parse(response.body.toString('utf8')) as { d: { results?: unknown[] } }
      response.body = Buffer.from(JSON.stringify({ d: { ...d, results: d.results?.reverse() } }))
    },
  }
}
