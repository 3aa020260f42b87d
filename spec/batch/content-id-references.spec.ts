import { ContentIdReferences } from '../../lib/batch/inner-target.js'
import { errorOf } from '../support/error-of.js'

const service = { root: 'http://h/n/', path: '/n/' }

function referencesTo(locations: Readonly<Record<string, string>>): ContentIdReferences {
  const references = new ContentIdReferences(service)
  for (const [contentId, location] of Object.entries(locations)) references.add(contentId, location)
  return references
}

describe('A reference to a Content-ID', () => {
  const references = referencesTo({
    1: 'http://h/n/Categories(7)',
    'id-1-2': "http://h/n/Files('%2Fa%2Fb')",
    prefixed: 'https://proxy/n/Lines(Order=7,No=2)',
  })

  it.each([
    ['1', '', '/Categories(7)'],
    ['1', '/Products', '/Categories(7)/Products'],
    ['1', '/$links/Products?$top=1', '/Categories(7)/$links/Products?$top=1'],
    ['1', '?$expand=Products', '/Categories(7)?$expand=Products'],
    ['id-1-2', '/$value', "/Files('%2Fa%2Fb')/$value"],
    ['prefixed', '', '/Lines(Order=7,No=2)'],
  ])('MUST resolve a reference to the entity of that Content-ID: $%s%s', (contentId, rest, target) => {
    expect(references.targetOf({ contentId, rest })).toBe(target)
  })

  it.each([
    ['$1', 'http://h/n/Categories(7)'],
    ['$1/Products', 'http://h/n/Categories(7)/Products'],
    ['/$1', 'http://h/n/Categories(7)'],
    ['http://any-host/n/$1', 'http://h/n/Categories(7)'],
    ['%24id-1-2', "http://h/n/Files('%2Fa%2Fb')"],
  ])('MAY be part of a body: %s', (uri, address) => {
    expect(references.resolve(uri)).toBe(address)
  })

  it.each([
    'Categories(1)',
    'http://h/n/Categories(1)',
    'http://elsewhere/$1',
    '',
    '$metadata',
    "Files('$1')",
  ])('MUST NOT be found where the text contains no reference: %s', (uri) => {
    expect(references.resolve(uri)).toBeUndefined()
  })

  it.each(['2', 'ID-1-2', '__proto__', 'constructor', 'x'.repeat(10_000)])(
    'MUST receive 404 when no request created an entity: $%s',
    (contentId) => {
      const error = errorOf(() => references.targetOf({ contentId, rest: '' }))
      expect(error).toMatchObject({ code: 'ResourceNotFound', status: 404 })
      expect(error.message).toContain(`Content-ID '${contentId.slice(0, 100)}`)
      expect(error.message.length).toBeLessThan(250)
      expect(errorOf(() => references.resolve(`$${contentId}/Products`)).status).toBe(404)
    },
  )

  it('MUST address the latest of several', () => {
    const again = referencesTo({ 1: 'http://h/n/Categories(7)' })
    again.add('1', 'http://h/n/Categories(8)')
    expect(again.resolve('$1')).toBe('http://h/n/Categories(8)')
  })

  it('MUST not address responses without Content-ID, without Location, or with a Location of another service', () => {
    const empty = new ContentIdReferences(service)
    empty.add(undefined, 'http://h/n/Categories(7)')
    empty.add('1', undefined)
    empty.add('2', 'http://h/other/Categories(7)')
    empty.add('3', 'http://h/n/$1')
    for (const contentId of ['undefined', '1', '2', '3']) {
      expect(errorOf(() => empty.resolve(`$${contentId}`)).code).toBe('ResourceNotFound')
    }
  })
})

describe('References of a change set', () => {
  it('MUST be known within it, and to the rest of the batch only when it has succeeded', () => {
    const batch = referencesTo({ 1: 'http://h/n/Categories(1)', 2: 'http://h/n/Categories(2)' })
    const failed = batch.openChangeSet()
    failed.add('1', 'http://h/n/Categories(10)')
    failed.add('3', 'http://h/n/Categories(3)')
    expect(['$1', '$2', '$3'].map((uri) => failed.resolve(uri))).toEqual([
      'http://h/n/Categories(10)',
      'http://h/n/Categories(2)',
      'http://h/n/Categories(3)',
    ])
    expect(batch.resolve('$1')).toBe('http://h/n/Categories(1)')
    expect(errorOf(() => batch.resolve('$3')).status).toBe(404)

    const succeeded = batch.openChangeSet()
    succeeded.add('1', 'http://h/n/Categories(11)')
    succeeded.publish()
    expect(batch.resolve('$1')).toBe('http://h/n/Categories(11)')
    expect(batch.openChangeSet().resolve('$1/Products')).toBe('http://h/n/Categories(11)/Products')
  })
})
