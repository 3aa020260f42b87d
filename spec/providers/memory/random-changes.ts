import { fc } from '../../support/random.js'
import { standardRoot, type SentRequest } from './service-responses.js'

const json = { 'content-type': 'application/json', accept: 'application/json' }
const strings = fc.constantFrom('a', 'changed', 'é\u{1F600}', '"&<', '2024-01-02T03:04:05Z', null)
const categories = fc.constantFrom('1', '2', '3', '4')
const products = fc.constantFrom("''", "'a'", "'p1'", "'p2'", "'p3'")
const tags = fc.constantFrom('1', '2', '3', '4')

function entityChange(method: string, target: string, entity?: object): SentRequest {
  return { method, target, headers: json, ...(entity === undefined ? {} : { body: JSON.stringify(entity) }) }
}

const entities: fc.Arbitrary<SentRequest> = fc.oneof(
  fc.tuple(products, strings).map(([key, Name]) => entityChange('MERGE', `/Products(${key})`, { Name })),
  fc.tuple(categories, strings).map(([key, Name]) => entityChange('MERGE', `/Categories(${key})`, { Name })),
  fc
    .tuple(categories, fc.integer({ min: 1, max: 6 }))
    .map(([key, ParentID]) => entityChange('MERGE', `/Categories(${key})`, { ParentID })),
  fc.tuple(tags, strings).map(([key, Name]) => entityChange('PUT', `/Tags(${key})`, { Name })),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), strings)
    .map(([ID, Name]) => entityChange('POST', '/Categories', { ID, Name })),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -2, max: 2 }), fc.constantFrom('p1', 'a', null))
    .map(([Order, No, ProductCode]) => entityChange('POST', '/Lines', { Order, No, ProductCode })),
  fc.constantFrom('p1', 'p2', 'new').map((Code) => entityChange('POST', '/Products', { Code, Name: Code })),
  products.map((key) => entityChange('DELETE', `/Products(${key})`)),
  categories.map((key) => entityChange('DELETE', `/Categories(${key})`)),
  tags.map((key) => entityChange('DELETE', `/Tags(${key})`)),
)

const links: fc.Arbitrary<SentRequest> = fc.oneof(
  fc
    .tuple(products, categories)
    .map(([key, other]) => linkChange('PUT', `/Products(${key})/$links/Category`, `Categories(${other})`)),
  fc
    .tuple(products, tags)
    .map(([key, other]) => linkChange('POST', `/Products(${key})/$links/Tags`, `Tags(${other})`)),
  fc
    .tuple(products, tags)
    .map(([key, other]) => linkChange('DELETE', `/Products(${key})/$links/Tags(${other})`)),
  products.map((key) => linkChange('DELETE', `/Products(${key})/$links/Category`)),
)

function linkChange(method: string, target: string, other?: string): SentRequest {
  return entityChange(method, target, other === undefined ? undefined : { uri: `${standardRoot}${other}` })
}

const single = fc.oneof({ weight: 2, arbitrary: entities }, { weight: 1, arbitrary: links })

/** A change set that is rolled back because its last request fails. */
const rolledBack = fc
  .array(single, { minLength: 1, maxLength: 3 })
  .map((changes) => batchOf([...changes, entityChange('DELETE', '/Tags(99)')]))

/** A random change of the shop, which is often rejected. */
export const change: fc.Arbitrary<SentRequest> = fc.oneof(
  { weight: 4, arbitrary: single },
  { weight: 1, arbitrary: rolledBack },
)

/** All changes in one change set. */
function batchOf(changes: readonly SentRequest[]): SentRequest {
  const parts = changes.map(
    ({ method, target, body = '' }, index) =>
      '--c\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n' +
      `Content-ID: ${index + 1}\r\n\r\n` +
      `${method} ${target.slice(1)} HTTP/1.1\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}\r\n`,
  )
  return {
    method: 'POST',
    target: '/$batch',
    headers: { 'content-type': 'multipart/mixed; boundary=b' },
    body: `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${parts.join('')}--c--\r\n--b--\r\n`,
  }
}
