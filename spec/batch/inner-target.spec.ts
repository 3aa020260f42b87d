import { fc, runs } from '../support/random.js'
import { innerTarget } from '../../lib/batch/inner-target.js'

const service = { root: 'https://public.example/prefix/mount/', path: '/mount/' }

describe('The URI of a request within a batch', () => {
  it.each([
    ['Products(1)', '/Products(1)'],
    ['Products(1)?$expand=Category', '/Products(1)?$expand=Category'],
    ["Products?$filter=Name eq '/x?y'", "/Products?$filter=Name eq '/x?y'"],
    ["Files('%2Fa%2Fb')/$value", "/Files('%2Fa%2Fb')/$value"],
    ['$metadata', '/$metadata'],
    ['$batch', '/$batch'],
    ['?$format=json', '/?$format=json'],
    ['', '/'],
  ])('MAY be relative to the service: %s', (uri, target) => {
    expect(innerTarget(uri, service)).toEqual({ target })
  })

  it.each([
    ['/Products(1)', '/Products(1)'],
    ['/$metadata', '/$metadata'],
    ['/', '/'],
    ['/?$format=json', '/?$format=json'],
    ['//Products', '/Products'],
    ['/mountain/Products', '/mountain/Products'],
    ['/Mount/Products', '/Mount/Products'],
    ['/prefix/Products', '/prefix/Products'],
  ])('MAY have a slash that means the service: %s', (uri, target) => {
    expect(innerTarget(uri, service)).toEqual({ target })
  })

  it.each([
    ['/mount/Products(1)', '/Products(1)'],
    ['/mount/', '/'],
    ['/mount', '/'],
    ['/mount?$format=json', '/?$format=json'],
    ['/mount/?$format=json', '/?$format=json'],
    ['/prefix/mount/Products?$top=1', '/Products?$top=1'],
    ['/prefix/mount', '/'],
    ['/%6Dount/Products', '/Products'],
    ['//mount/Products', '/Products'],
    ['/mount/mount/Products', '/mount/Products'],
    ['/mount/$metadata', '/$metadata'],
  ])('MAY have a slash that means the host: %s', (uri, target) => {
    expect(innerTarget(uri, service)).toEqual({ target })
  })

  it.each([
    ['http://any-host/mount/Products(1)', '/Products(1)'],
    ['HTTPS://user@any-host:8080/mount/Products?x=http://y/', '/Products?x=http://y/'],
    ['https://public.example/prefix/mount/Products', '/Products'],
    ['http://[::1]:80/mount', '/'],
    ['http://any-host/mount?$format=json', '/?$format=json'],
    ['http://any-host//mount/Products', '/Products'],
  ])('MAY be absolute, whatever the host: %s', (uri, target) => {
    expect(innerTarget(uri, service)).toEqual({ target })
  })

  it.each([
    'http://any-host/other/Products',
    'http://any-host/Products',
    'http://any-host/mountain/Products',
    'http://any-host/MOUNT/Products',
    'http://any-host/',
    'http://any-host',
    'http://any-host?/mount/Products',
    'http://any-host/x?/mount/Products',
    'http://any-host/prefix?/mount/Products',
    'http://any-host/prefix?mount/Products',
    'http://any-host/mount/../other',
    'ftp://any-host/mount/Products',
    'file:///mount/Products',
  ])('MUST not lead anywhere else: %s', (uri) => {
    const found = innerTarget(uri, service)
    if (uri.includes('..')) expect(found).toEqual({ target: '/../other' })
    else expect(found).toBeUndefined()
  })

  it.each([
    ['../other/Products', '/../other/Products'],
    ['./Products', '/./Products'],
    ['/mount/../../etc', '/../../etc'],
    ['/mount/%2e%2e/x', '/%2e%2e/x'],
    ['Products//x', '/Products//x'],
  ])('MUST not be normalized: %s', (uri, target) => {
    expect(innerTarget(uri, service)).toEqual({ target })
  })

  it.each([
    ['$1', '1', ''],
    ['$1/Products', '1', '/Products'],
    ['$1/$links/Products?$top=1', '1', '/$links/Products?$top=1'],
    ['$id-123-4?$expand=Products', 'id-123-4', '?$expand=Products'],
    ['$newEmployee/Name/$value', 'newEmployee', '/Name/$value'],
    ['%241/Products', '1', '/Products'],
    ['$a%2Fb/c', 'a/b', '/c'],
    ['/$1/Products', '1', '/Products'],
    ['/mount/$1/Products', '1', '/Products'],
    ['http://any-host/mount/$1/Products', '1', '/Products'],
    ['https://public.example/prefix/mount/$1', '1', ''],
    ['$metadata1', 'metadata1', ''],
  ])('MAY refer to an entity that an earlier request created: %s', (uri, contentId, rest) => {
    expect(innerTarget(uri, service)).toEqual({ contentId, rest })
  })

  it.each(['$', '$/Products', '$%', '$%ff', 'x$1', 'Products/$1', 'http://$1/Products'])(
    'MUST NOT be parsed as a reference: %s',
    (uri) => {
      const found = innerTarget(uri, service)
      expect(found).toEqual(uri.startsWith('http') ? undefined : { target: `/${uri}` })
    },
  )

  it('MUST be understood for a service without path', () => {
    const whole = { root: 'http://h/', path: '/' }
    expect(innerTarget('http://other/Products', whole)).toEqual({ target: '/Products' })
    expect(innerTarget('http://other', whole)).toEqual({ target: '/' })
    expect(innerTarget('http://other?x=1', whole)).toEqual({ target: '/?x=1' })
    expect(innerTarget('/Products', whole)).toEqual({ target: '/Products' })
    expect(innerTarget('/$1', whole)).toEqual({ contentId: '1', rest: '' })
  })

  it('MUST be understood for a path that is encoded in another way', () => {
    const encoded = { root: 'http://h/my%20shop/v1.0/', path: '/my%20shop/v1%2E0/' }
    expect(innerTarget('/my%20shop/v1.0/Products', encoded)).toEqual({ target: '/Products' })
    expect(innerTarget('http://x/my shop/v1%2e0/Products', encoded)).toEqual({ target: '/Products' })
    expect(innerTarget('http://x/my%20shop%2Fv1.0/Products', encoded)).toBeUndefined()
    expect(innerTarget('http://x/my%2/v1.0/Products', encoded)).toBeUndefined()
  })

  it('MUST return a target with a leading slash for any input', () => {
    const text = fc.array(
      fc.constantFrom('/', '//', '?', '$', '%', 'mount', 'http://', 'h', '..', '%24', "'", '#', ' '),
    )
    fc.assert(
      fc.property(text, (chunks) => {
        const found = innerTarget(chunks.join(''), service)
        if (found === undefined) return
        if ('target' in found) expect(found.target).toMatch(/^\//)
        else expect(found.rest).toMatch(/^(?:[/?].*)?$/)
      }),
      { numRuns: runs(2000) },
    )
  })
})
