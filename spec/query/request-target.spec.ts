import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import type { RequestTarget } from '../../lib/query/request-target.js'
import { isCollection } from '../../lib/query/request-target.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { protocolModel } from '../support/protocol-model.js'

function targetOf(address: string): RequestTarget {
  return bindResourcePath(splitRelativeUri(address).segments, protocolModel, parseQueryOptions(''))
}

describe('The target of a request', () => {
  it.each([
    ['/Products/$count', true],
    ['/Categories(1)/Products/$count', true],
    ['/ByRating/$count', true],
    ['/Products(1)/$count', false],
    ['/Products(1)/Category/$count', false],
    ['/Best/$count', false],
  ])('MUST be a single entity or a collection: %s is a collection %p', (address, many) => {
    const target = targetOf(address)
    if (target.kind !== 'EntityCount') throw new Error('This is a count.')
    expect(isCollection(target.of)).toBe(many)
  })
})
