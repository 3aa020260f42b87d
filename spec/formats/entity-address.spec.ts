import { codePoint, fc, runs } from '../support/random.js'
import { defineModel, edm } from '../../lib/index.js'
import {
  entityPathWriter,
  keyPredicate,
  keyTokenWriter,
  entityTagWriter,
} from '../../lib/formats/entity-address.js'
import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { splitRelativeUri } from '../../lib/uri/split-resource-path.js'
import type { Row } from '../../lib/evaluation/row.js'

const model = defineModel({
  namespace: 'S',
  entityTypes: {
    File: { key: ['path'], properties: { path: edm.String({ nullable: false }) } },
    Mix: {
      key: ['Text', 'Id', 'At'],
      properties: {
        At: edm.DateTime({ nullable: false }),
        Id: edm.Guid({ nullable: false }),
        Text: edm.String({ nullable: false }),
        Name: edm.String({ concurrencyMode: 'Fixed' }),
        Changed: edm.DateTimeOffset({ concurrencyMode: 'Fixed' }),
        Count: edm.Int64({ concurrencyMode: 'Fixed' }),
      },
    },
    Ärger: { key: ['ID'], properties: { ID: edm.Int64({ nullable: false }) } },
  },
  entityContainers: {
    Main: { default: true, entitySets: { Files: { entityType: 'File' }, Mixes: { entityType: 'Mix' } } },
    Archive: { entitySets: { Ärger: { entityType: 'Ärger' } } },
  },
})

function setNamed(path: string) {
  const sets = model.entityContainers.flatMap(({ entitySets }) => entitySets)
  const set = sets.find((one) => one.path === path)
  if (set === undefined) throw new Error(`no set ${path}`)
  return set
}

const mix: Row = {
  At: new Date('2012-05-29T09:13:28Z'),
  Id: '12345678-AAAA-bbbb-cccc-ddddeeeeffff',
  Text: "it's",
}

describe('The canonical address of an entity', () => {
  it.each([
    ['/docs/a.txt', "Files('%2Fdocs%2Fa.txt')"],
    ["it's", "Files('it''s')"],
    ['a b+c&d?e#f%g', "Files('a%20b%2Bc%26d%3Fe%23f%25g')"],
    ['(a,b)=!*:@$;~', "Files('(a,b)=!*:@$;~')"],
    ['é€😀', "Files('%C3%A9%E2%82%AC%F0%9F%98%80')"],
    ['"<>\\^`{|}[]', "Files('%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D')"],
    ['', "Files('')"],
    ['..', "Files('..')"],
    ['\ud800', "Files('%EF%BF%BD')"],
  ])('MUST encode the key %p as %s', (path, address) => {
    expect(entityPathWriter(setNamed('Files'))({ path })).toBe(address)
  })

  it('MUST name the parts of a compound key in the order of the key', () => {
    expect(entityPathWriter(setNamed('Mixes'))(mix)).toBe(
      "Mixes(Text='it''s',Id=guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff',At=datetime'2012-05-29T09:13:28')",
    )
  })

  it('MUST be qualified by the container for a set outside of the default one', () => {
    expect(entityPathWriter(setNamed('Archive.Ärger'))({ ID: 5n })).toBe('Archive.%C3%84rger(5L)')
  })

  it('MUST name the option that omits entities with null in the key', () => {
    expect(() => entityPathWriter(setNamed('Files'))({ path: null })).toThrow(
      "set invalidValues: 'null' of sqlProvider (--invalid-as-null) to omit such rows.",
    )
  })

  it('MUST blame the provider for an entity without its key', () => {
    expect(() => entityPathWriter(setNamed('Files'))({ path: null })).toThrow(
      "The provider returned a 'S.File' without its key 'path'.",
    )
    expect(() => entityPathWriter(setNamed('Mixes'))({ ...mix, Id: undefined })).toThrow(
      "The provider returned a 'S.Mix' without its key 'Id'.",
    )
  })

  it('MUST not confuse the key `null` with a missing one', () => {
    expect(entityPathWriter(setNamed('Files'))({ path: 'null' })).toBe("Files('null')")
  })

  it('MUST be parsed to the same key, for any value', () => {
    const set = setNamed('Files')
    const text = fc.string({ unit: codePoint, maxLength: 30 })
    fc.assert(
      fc.property(text, (path) => {
        const address = entityPathWriter(set)({ path })
        const target = bindResourcePath(
          splitRelativeUri(`/${address}`).segments,
          model,
          parseQueryOptions(''),
        )
        expect(target).toMatchObject({ kind: 'Entity', entity: { key: { path } } })
      }),
      { numRuns: runs(300) },
    )
  })
})

describe('Key tokens and predicates', () => {
  it('MUST contain the literals of the key in its order', () => {
    expect(keyTokenWriter(setNamed('Mixes').entityType)(mix)).toBe(
      "'it''s',guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff',datetime'2012-05-29T09:13:28'",
    )
    expect(keyTokenWriter(setNamed('Files').entityType)({ path: '/docs/a.txt' })).toBe("'%2Fdocs%2Fa.txt'")
  })

  it('MUST write the predicate of a key that a request named', () => {
    expect(keyPredicate({ ID: 7n }, setNamed('Archive.Ärger').entityType)).toBe('(7L)')
  })
})

describe('The ETag of an entity', () => {
  const write = entityTagWriter(setNamed('Mixes').entityType)

  it('MUST contain the literals of the concurrency tokens in the order of the model', () => {
    const row = { ...mix, Name: 'a', Changed: '2020-01-01T00:00:00+01:00', Count: 5n }
    expect(write?.(row)).toBe(`W/"'a',datetimeoffset'2020-01-01T00:00:00%2B01:00',5L"`)
  })

  it('MUST show null as null', () => {
    expect(write?.(mix)).toBe('W/"null,null,null"')
  })

  it('MUST encode quotes and control characters', () => {
    expect(write?.({ ...mix, Name: 'a"\r\nb', Count: 1 })).toBe(`W/"'a%22%0D%0Ab',null,1L"`)
  })

  it('MUST be absent without concurrency tokens', () => {
    expect(entityTagWriter(setNamed('Files').entityType)).toBeUndefined()
  })
})
