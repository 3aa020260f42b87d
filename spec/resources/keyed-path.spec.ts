import { codePoint, fc, runs } from '../support/random.js'
import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import { keyedPath, KeyPathPattern } from '../../lib/resources/request-plan.js'
import type { RequestTarget } from '../../lib/query/request-target.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import { protocolModel } from '../support/protocol-model.js'

function whole(text: string): RequestTarget {
  const { segments, query } = splitRelativeUri(text)
  return bindResourcePath(segments, protocolModel, parseQueryOptions(query))
}

/** Describes a target, or the error that was thrown instead. */
function seen(target: () => RequestTarget): unknown {
  try {
    const found = target()
    if (found.kind !== 'Entity' || found.entity.kind !== 'KeyedEntity') return found.kind
    return { key: found.entity.key, set: found.entity.set.path }
  } catch (error) {
    const { code, message, details } = error as { code: string; message: string; details: unknown }
    return { code, message, details }
  }
}

describe('The path of an entity by its key', () => {
  it.each([
    ['/Products(7)', 'Products', '7'],
    ['/Products(007)?$format=json', 'Products?$format=json', '007'],
    ["/Texts('a b')", 'Texts', 'a b'],
    ["/Texts('')?", 'Texts?', ''],
    ['/Texts(1)?$expand=A(2)', 'Texts?$expand=A(2)', '1'],
  ])('MUST be split into a pattern and a key value: %s', (text, pattern, value) => {
    expect(keyedPath(text)).toMatchObject({ pattern, literal: { text: value } })
  })

  it.each([
    '/Products',
    '/Products()',
    '/Products(7)/',
    '/Products(7)/Name',
    '/Products(ID=7)',
    '/Products(7L)',
    '/Products(-7)',
    '/Products(1234567890123456)',
    "/Texts('it''s')",
    "/Texts('a%20b')",
    "/Texts('a/b')",
    "/Texts('a?b')",
    '/%50roducts(7)',
    '//Products(7)',
    '/$metadata(7)',
    'Products(7)',
  ])('MUST leave addresses with special syntax to the parser: %s', (text) => {
    expect(keyedPath(text)).toBeUndefined()
  })

  const name = fc.constantFrom(
    ...protocolModel.defaultContainer.entitySets.map(({ name }) => name),
    'Nothing',
    'x',
  )
  const value = fc.oneof(
    fc.integer({ min: 0, max: 20 }).map(String),
    fc.bigInt({ min: 0n, max: 10n ** 16n }).map(String),
    fc.stringMatching(/^0{0,3}\d{1,14}$/),
    fc.string({ maxLength: 10 }).map((text) => `'${text}'`),
    fc.string({ maxLength: 5, unit: codePoint }).map((text) => `'${text}'`),
    fc.constantFrom('true', 'null', "guid'0'", '1.5', '1e3', 'ID=1'),
  )
  const query = fc.constantFrom('', '?', '?$format=json', '?$select=ID', '?a=b(1)')

  it('MUST resolve to the same target with the pattern of another key as with the parser', () => {
    let shared = 0
    const check = (one: string, set: string, key: string, options: string): void => {
      const text = `/${set}(${key})${options}`
      const cut = keyedPath(text)
      const known = keyedPath(`/${set}(${one})${options}`)
      if (cut === undefined || known === undefined) return
      expect(cut.pattern).toBe(known.pattern)
      let pattern: KeyPathPattern | undefined
      try {
        pattern = KeyPathPattern.of(whole(`/${set}(${one})${options}`))
      } catch {
        return
      }
      if (pattern === undefined) return
      shared++
      const { literal } = cut
      const kept = pattern
      expect([text, seen(() => kept.with(literal))]).toEqual([text, seen(() => whole(text))])
    }
    fc.assert(fc.property(fc.constantFrom('1', "'a'"), name, value, query, check), { numRuns: runs(5000) })
    expect(shared).toBeGreaterThan(runs(1000))
  })
})
