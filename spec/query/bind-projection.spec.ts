import { bindProjection } from '../../lib/query/bind-projection.js'
import type { Projection } from '../../lib/query/projection.js'
import { selectedNavigation, selectedProperties, wholeProjection } from '../../lib/query/projection.js'
import { errorOf } from '../support/error-of.js'
import { protocolModel, setNamed } from '../support/protocol-model.js'

const limits = { expandDepth: 5, expandPaths: 20 }

function project(set: string, expand: string | undefined, select: string | undefined): Projection {
  return bindProjection(setNamed(set), expand, select, limits)
}

/** Describes a projection: data properties, links of navigation properties, and inline entities in braces. */
function shown(projection: Projection, type = projection.entityType): string {
  const inline = new Map(projection.expansions.map((one) => [one.navigation.name, one.projection]))
  const links = selectedNavigation(projection, type).map(({ name }) => {
    const below = inline.get(name)
    return below === undefined ? `@${name}` : `@${name}{${shown(below)}}`
  })
  return [...selectedProperties(projection, type).map(({ name }) => name), ...links].join(' ')
}

const wholeCategory = 'ID Name Note Rank @Products @Parent'
const wholeProduct =
  'ID Name Price Stock Rating Small Tiny Weight Discount Active Released Changed Opens Code Pic Items Dims @Category @Successor'

describe('$expand (MS-ODATA 2.2.3.6.1.3)', () => {
  it('MUST default to all properties, and links for all navigation properties', () => {
    expect(shown(project('Categories', undefined, undefined))).toBe(wholeCategory)
    expect(project('Categories', undefined, undefined)).toBe(wholeProjection(setNamed('Categories')))
  })

  it.each([
    ['Parent', `ID Name Note Rank @Products @Parent{${wholeCategory}}`],
    ['Products', `ID Name Note Rank @Products{${wholeProduct}} @Parent`],
    ['Products,Parent', `ID Name Note Rank @Products{${wholeProduct}} @Parent{${wholeCategory}}`],
    [' Parent\t, Products ', `ID Name Note Rank @Products{${wholeProduct}} @Parent{${wholeCategory}}`],
    [
      'Parent/Parent',
      `ID Name Note Rank @Products @Parent{ID Name Note Rank @Products @Parent{${wholeCategory}}}`,
    ],
    ['Parent,Parent', `ID Name Note Rank @Products @Parent{${wholeCategory}}`],
  ])('MUST expand the navigation properties in %j', (expand, expected) => {
    expect(shown(project('Categories', expand, undefined))).toBe(expected)
  })

  it('MUST merge redundant paths, in any order', () => {
    const expected = shown(project('Categories', 'Parent/Products,Parent/Parent', undefined))
    for (const expand of [
      'Parent,Parent/Products,Parent/Parent',
      'Parent/Parent,Parent/Products,Parent,Parent/Parent',
    ]) {
      expect(shown(project('Categories', expand, undefined))).toBe(expected)
    }
  })

  it('MUST expand navigation properties of derived types', () => {
    const projection = project('Parties', 'Portrait', undefined)
    const person = protocolModel.entityTypes.get('NW.Person')
    expect(shown(projection)).toBe('ID Name @Boss')
    expect(shown(projection, person)).toBe('ID Name Email Born @Boss @Portrait{ID Title}')
  })

  it('MUST preserve the nested part of the option for the next links of nested pages', () => {
    const { expansions } = project(
      'Categories',
      'Products/Category/Parent,Products',
      'Name,Products/Name,Products/Category',
    )
    expect(expansions.map(({ expandText, selectText }) => [expandText, selectText])).toEqual([
      ['Category/Parent', 'Name,Category'],
    ])
    expect(project('Categories', 'Parent', undefined).expansions[0]).toMatchObject({
      expandText: '',
      selectText: '',
    })
  })

  it.each([
    ['Nonsense', 0, "'Category' has no navigation property 'Nonsense'."],
    ['products', 0, "'Category' has no navigation property 'products'. Did you mean 'Products'?"],
    ['Parent,Product', 7, "'Category' has no navigation property 'Product'. Did you mean 'Products'?"],
    ['Name', 0, "'Name' is not a navigation property"],
    ['Products/Dims', 0, "'Dims' is not a navigation property"],
    ['Products/Category/Nam', 0, "'Category' has no navigation property 'Nam'."],
    ['*', 0, "'Category' has no navigation property '*'."],
    ['Products($filter=true)', 8, "Expected ',' or the end"],
    ['Products(1)', 8, "Expected ',' or the end"],
    ['Products/', 9, 'Expected a name'],
    ['__proto__', 0, "'Category' has no navigation property '__proto__'."],
  ])('MUST respond with 400 to %s and point at %i', (expand, position, message) => {
    const error = errorOf(() => project('Categories', expand, undefined))
    expect(error).toMatchObject({
      code: 'InvalidSystemQueryOption',
      status: 400,
      details: { position, source: expand },
    })
    expect(error.message).toContain(`$expand: ${message}`)
  })

  it('MUST respond with 400 to paths that are too long or too many, and name the limit', () => {
    const tight = { expandDepth: 2, expandPaths: 2 }
    const set = setNamed('Categories')
    expect(() => bindProjection(set, 'Parent/Parent,Products', undefined, tight)).not.toThrow()
    expect(errorOf(() => bindProjection(set, 'Parent/Parent/Parent', undefined, tight))).toMatchObject({
      code: 'LimitExceeded',
      status: 400,
      message: '$expand: at most 2 levels can be expanded.',
      details: { limit: 'expandDepth' },
    })
    expect(errorOf(() => bindProjection(set, 'Parent,Parent,Parent', undefined, tight))).toMatchObject({
      code: 'LimitExceeded',
      status: 400,
      message: '$expand: at most 2 paths can be expanded.',
      details: { limit: 'expandPaths' },
    })
  })
})

describe('$select (MS-ODATA 2.2.3.6.1.11)', () => {
  it.each([
    // Rule 1: the selected properties, and always the key.
    ['Categories', undefined, 'Name', 'ID Name'],
    ['Categories', undefined, 'ID', 'ID'],
    ['Categories', undefined, 'Rank,Name', 'ID Name Rank'],
    ['Lines', undefined, 'Text', 'Order No Text'],
    ['Products', undefined, 'Dims', 'ID Dims'],
    // Rule 2: the star.
    ['Categories', undefined, '*', wholeCategory],
    ['Categories', undefined, 'Name,*', wholeCategory],
    ['Categories', 'Products', '*', `ID Name Note Rank @Products{${wholeProduct}} @Parent`],
    // Rule 3: a navigation property alone.
    ['Categories', undefined, 'Products', 'ID @Products'],
    ['Categories', 'Products', 'Products', `ID @Products{${wholeProduct}}`],
    [
      'Categories',
      'Products/Category',
      'Products',
      `ID @Products{${wholeProduct.replace('@Category', `@Category{${wholeCategory}}`)}}`,
    ],
    // Rule 4: a path through a navigation property.
    ['Categories', 'Products', 'Name,Products/Name', 'ID Name @Products{ID Name}'],
    ['Categories', 'Products', 'Products/Name,Products/Price', 'ID @Products{ID Name Price}'],
    ['Categories', 'Products', 'Products/*', `ID @Products{${wholeProduct}}`],
    ['Categories', 'Products', 'Products,Products/Name', `ID @Products{${wholeProduct}}`],
    ['Categories', 'Products/Category', 'Products/Category/Name', 'ID @Products{ID @Category{ID Name}}'],
    ['Categories', 'Products/Category', 'Products/Name', 'ID @Products{ID Name}'],
    ['Categories', undefined, 'Products/Name', 'ID @Products'],
    ['Categories', 'Parent', 'Products/Name', 'ID @Products'],
    ['Categories', undefined, 'Products/Category/Name', 'ID @Products'],
    // Rule 5: expanded but not selected navigation properties are left out.
    ['Categories', 'Products', 'Name', 'ID Name'],
    ['Categories', 'Products,Parent', 'Parent', `ID @Parent{${wholeCategory}}`],
    // Rule 6: no links of navigation properties that are not selected.
    ['Products', undefined, 'Name', 'ID Name'],
    // Rule 7: the union; duplicates are allowed.
    ['Categories', undefined, 'Name,Name,ID,Name', 'ID Name'],
    ['Categories', undefined, ' Name\t, Note ', 'ID Name Note'],
  ])('MUST project %s with $expand=%s and $select=%s: %s', (set, expand, select, expected) => {
    expect(shown(project(set, expand, select))).toBe(expected)
  })

  it('MUST resolve the properties of derived types', () => {
    const person = protocolModel.entityTypes.get('NW.Person')
    const projection = project('Parties', undefined, 'Email,Portrait')
    expect(shown(projection)).toBe('ID')
    expect(shown(projection, person)).toBe('ID Email @Portrait')
    expect(shown(project('Parties', undefined, '*'), person)).toBe('ID Name Email Born @Boss @Portrait')
  })

  it('MUST validate expanded paths even if $select excludes them', () => {
    expect(errorOf(() => project('Categories', 'Products/Nonsense', 'Name')).status).toBe(400)
  })

  it.each([
    ['Nonsense', 0, "'Category' has no property 'Nonsense'."],
    ['Nam', 0, "'Category' has no property 'Nam'. Did you mean 'Name'?"],
    ['name', 0, "'Category' has no property 'name'. Did you mean 'Name'?"],
    ['Name,Nte', 5, "'Category' has no property 'Nte'. Did you mean 'Note'?"],
    ['Products/Nam', 0, "'Product' has no property 'Nam'. Did you mean 'Name'?"],
    ['Products/Dims/W', 0, "members of 'Dims' cannot be selected alone"],
    ['Products/Category/Nam', 0, "'Category' has no property 'Nam'. Did you mean 'Name'?"],
    ['Name/Length', 0, "members of 'Name' cannot be selected alone"],
    ['*/Name', 0, "nothing can follow '*'"],
    ['Products/*/Name', 0, "nothing can follow '*'"],
    ['Products/', 9, 'Expected a name'],
    ['Name,', 5, 'Expected a name'],
    ['$count', 0, 'Expected a name'],
    ['__proto__', 0, "'Category' has no property '__proto__'."],
  ])('MUST respond with 400 to %s and point at %i', (select, position, message) => {
    for (const expand of [undefined, 'Products/Category']) {
      const error = errorOf(() => project('Categories', expand, select))
      expect(error).toMatchObject({
        code: 'InvalidSystemQueryOption',
        status: 400,
        details: { position, source: select },
      })
      expect(error.message).toContain(`$select: ${message}`)
    }
  })
})
