import { defineModel, edm } from '../../lib/edm/define-model.js'
import type {
  AssociationDefinition,
  EntityContainerDefinition,
  FeedMappingDefinition,
  FunctionImportDefinition,
  ModelDefinition,
  NavigationPropertyDefinition,
  PropertyDefinition,
} from '../../lib/edm/model-definition.js'
import { modelErrorsOf } from '../support/model-errors-of.js'

const ID = edm.Int32({ nullable: false })

const entityTypes = {
  Category: { key: ['ID'], properties: { ID, Name: edm.String() } },
  Product: { key: ['ID'], properties: { ID, Category_ID: edm.Int32() } },
  Special: { baseType: 'Product' },
} as const

const ends = {
  Category: { type: 'Category', multiplicity: '0..1' },
  Products: { type: 'Product', multiplicity: '*' },
} as const

function errorsOfAssociation(definition: AssociationDefinition, navigation?: NavigationPropertyDefinition) {
  const navigationProperties = navigation === undefined ? {} : { Nav: navigation }
  return modelErrorsOf(() =>
    defineModel<ModelDefinition>({
      namespace: 'S',
      entityTypes: { ...entityTypes, Product: { ...entityTypes.Product, navigationProperties } },
      associations: { A: definition },
      entityContainer: {},
    }),
  )
}

function errorsOfContainer(entityContainer: EntityContainerDefinition) {
  return modelErrorsOf(() =>
    defineModel({
      namespace: 'S',
      entityTypes,
      complexTypes: { Size: { properties: {} } },
      associations: { A: { ends } },
      entityContainer: {
        ...entityContainer,
        entitySets: {
          Categories: { entityType: 'Category' },
          Products: { entityType: 'Product' },
          ...entityContainer.entitySets,
        },
      },
    }),
  )
}

const errorsOfFunction = (definition: FunctionImportDefinition) =>
  errorsOfContainer({ functionImports: { F: definition } })

describe('errors of associations', () => {
  it.each<[string, AssociationDefinition, readonly string[]]>([
    [
      'one end',
      { ends: { Category: ends.Category } },
      ['S.A: an association has two ends with different roles, not 1.'],
    ],
    [
      'three ends',
      { ends: { ...ends, More: ends.Products } },
      ['S.A: an association has two ends with different roles, not 3.'],
    ],
    [
      'an unknown type',
      { ends: { ...ends, Category: { type: 'Categorie', multiplicity: '1' } } },
      ["S.A.Category: there is no entity type 'Categorie'. Did you mean 'Category'?"],
    ],
    [
      'a constraint with unknown roles and properties',
      {
        ends,
        referentialConstraint: {
          principal: { role: 'Categorys', properties: ['ID'] },
          dependent: { role: 'Products', properties: ['CategoryID'] },
        },
      },
      [
        "S.A (principal): there is no role 'Categorys'. Did you mean 'Category'?",
        "S.A (dependent): 'Product' has no property 'CategoryID'. Did you mean 'Category_ID'?",
      ],
    ],
    [
      'a constraint of one role with itself',
      {
        ends,
        referentialConstraint: {
          principal: { role: 'Products', properties: ['ID'] },
          dependent: { role: 'Products', properties: ['Category_ID'] },
        },
      },
      ['S.A: principal and dependent of the referential constraint must be different roles.'],
    ],
    [
      'a constraint with unequal numbers of properties',
      {
        ends,
        referentialConstraint: {
          principal: { role: 'Category', properties: ['ID', 'Name'] },
          dependent: { role: 'Products', properties: ['Category_ID'] },
        },
      },
      ['S.A: principal and dependent of the referential constraint must name the same number of properties.'],
    ],
  ])('MUST report %s', (_, definition, expected) => {
    expect(errorsOfAssociation(definition)).toEqual(expected)
  })

  it.each<[string, NavigationPropertyDefinition, readonly string[]]>([
    [
      'an unknown association',
      { relationship: 'B', fromRole: 'Products', toRole: 'Category' },
      ["S.Product.Nav: there is no association 'B'."],
    ],
    [
      'unknown roles',
      { relationship: 'A', fromRole: 'Product', toRole: 'X' },
      [
        "S.Product.Nav: the association 'A' has no role 'Product'. Did you mean 'Products'?",
        "S.Product.Nav: the association 'A' has no role 'X'.",
      ],
    ],
    [
      'one role twice',
      { relationship: 'A', fromRole: 'Products', toRole: 'Products' },
      ['S.Product.Nav: FromRole and ToRole must be different roles.'],
    ],
    [
      'the roles the wrong way round',
      { relationship: 'A', fromRole: 'Category', toRole: 'Products' },
      ["S.Product.Nav: the role 'Category' belongs to 'S.Category', not to 'S.Product'."],
    ],
  ])('MUST report %s of a navigation property', (_, navigation, expected) => {
    expect(errorsOfAssociation({ ends }, navigation)).toEqual(expected)
  })
})

describe('errors of entity containers', () => {
  it.each<[string, EntityContainerDefinition, readonly string[]]>([
    [
      'a set of an unknown type',
      { entitySets: { More: { entityType: 'Producs' } } },
      ["S.Container.More: there is no entity type 'Producs'. Did you mean 'Product'?"],
    ],
    [
      'an association set of an unknown association',
      { associationSets: { As: { association: 'B', ends: {} } } },
      ["S.Container.As: there is no association 'B'."],
    ],
    [
      'unknown roles and sets',
      {
        associationSets: { As: { association: 'A', ends: { Categori: 'Categories', Products: 'Product' } } },
      },
      [
        "S.Container.As: the association 'A' has no role 'Categori'. Did you mean 'Category'?",
        "S.Container.As: there is no entity set 'Product'. Did you mean 'Products'?",
      ],
    ],
    [
      'a set of another type',
      { associationSets: { As: { association: 'A', ends: { Category: 'Products', Products: 'Products' } } } },
      ["S.Container.As: the role 'Category' is of type 'Category', but 'Products' has another entity type."],
    ],
    [
      'a function of the name of a set',
      { functionImports: { Products: { returnType: 'Edm.Int32' } } },
      ['S.Container.Products: the container already has an entity set with this name.'],
    ],
    [
      'a set without a name',
      { entitySets: { '': { entityType: 'Product' } } },
      [expect.stringContaining("'' is not a valid name")],
    ],
  ])('MUST report %s', (_, container, expected) => {
    expect(errorsOfContainer(container)).toEqual(expected)
  })

  it('MUST require both ends of an association set', () => {
    const errors = errorsOfContainer({
      associationSets: { As: { association: 'A', ends: { Category: 'Categories' } } },
    })
    expect(errors).toEqual([
      "S.Container.As: an association set names an entity set for both roles, 'Category' and 'Products'.",
    ])
  })
})

describe('errors of function imports', () => {
  it.each<[string, FunctionImportDefinition, readonly string[]]>([
    [
      'an unknown type',
      { returnType: 'Collection(Produkt)' },
      ["S.Container.F: there is no type 'Produkt' to return. Did you mean 'Product'?"],
    ],
    [
      'a misspelt simple type',
      { returnType: 'Edm.Int23' },
      ["S.Container.F: there is no type 'Edm.Int23' to return. Did you mean 'Edm.Int32'?"],
    ],
    [
      'an unknown set',
      { returnType: 'Product', entitySet: 'Product' },
      ["S.Container.F: there is no entity set 'Product'. Did you mean 'Products'?"],
    ],
    [
      'a set that holds something else',
      { returnType: 'Product', entitySet: 'Categories' },
      ["S.Container.F: the function returns 'Product', but 'Categories' has the entity type 'Category'."],
    ],
    [
      'parameters that are not of simple types',
      { parameters: { a: { type: 'Size' }, b: { type: 'Edm.Strin' }, c: { type: 'Int32' } } },
      [
        "S.Container.F.a: a parameter must be of a simple type, not 'Size'.",
        "S.Container.F.b: a parameter must be of a simple type, not 'Edm.Strin'. Did you mean 'Edm.String'?",
        "S.Container.F.c: a parameter must be of a simple type, not 'Int32'. Did you mean 'Edm.Int32'?",
      ],
    ],
  ])('MUST report %s', (_, definition, expected) => {
    expect(errorsOfFunction(definition)).toEqual(expected)
  })

  it('MUST require the set of returned entities if several sets contain the type', () => {
    const errors = errorsOfContainer({
      entitySets: { MoreProducts: { entityType: 'Product' } },
      functionImports: { F: { returnType: 'Product' }, G: { returnType: 'Category' } },
    })
    expect(errors).toEqual([
      "S.Container.F: the EntitySet of the returned 'Product' is ambiguous or missing: name it.",
    ])
  })
})

describe('errors of feed customizations', () => {
  const mappingErrors = (
    syndication: FeedMappingDefinition | readonly FeedMappingDefinition[],
    type = 'Edm.String',
    more: Record<string, PropertyDefinition> = {},
  ) =>
    modelErrorsOf(() =>
      defineModel({
        namespace: 'S',
        complexTypes: { Size: { properties: { Unit: edm.String(), W: edm.Double() } } },
        entityTypes: { T: { key: ['ID'], properties: { ID, P: { type, syndication }, ...more } } },
        entityContainer: {},
      }),
    )

  it.each<[string, FeedMappingDefinition, string, readonly string[]]>([
    [
      'a misspelt target',
      { target: 'SyndicationTitel' },
      'Edm.String',
      [
        "S.T.P: the target 'SyndicationTitel' is not an Atom element and needs FC_NsUri. Did you mean 'SyndicationTitle'?",
      ],
    ],
    [
      'a custom target without namespace',
      { target: 'geo/lat' },
      'Edm.String',
      ["S.T.P: the target 'geo/lat' is not an Atom element and needs FC_NsUri."],
    ],
    [
      'an Atom target with a namespace',
      { target: 'SyndicationTitle', namespaceUri: 'urn:x', namespacePrefix: 'x' },
      'Edm.String',
      ["S.T.P: the target 'SyndicationTitle' is an Atom element and cannot have FC_NsUri or FC_NsPrefix."],
    ],
    [
      'mark-up in a target that is plain text',
      { target: 'SyndicationAuthorName', contentKind: 'html' },
      'Edm.String',
      ["S.T.P: FC_ContentKind 'html' is for title, summary and rights, not for 'SyndicationAuthorName'."],
    ],
    [
      'mark-up in a number',
      { target: 'SyndicationTitle', contentKind: 'xhtml' },
      'Edm.Int32',
      ["S.T.P: FC_ContentKind 'xhtml' is for Edm.String, not for Edm.Int32."],
    ],
    [
      'mark-up in a custom target',
      { target: 'a', namespaceUri: 'urn:x', contentKind: 'html' },
      'Edm.String',
      ["S.T.P: a custom target can only contain text, not 'html'."],
    ],
    [
      'a custom target that is no path',
      { target: 'a//b', namespaceUri: 'urn:x' },
      'Edm.String',
      ["S.T.P: 'a//b' is not a path of elements, for example 'geo/@lat'."],
    ],
    [
      'an attribute in the middle of a path',
      { target: '@a/b', namespaceUri: 'urn:x' },
      'Edm.String',
      ["S.T.P: '@a/b' is not a path of elements, for example 'geo/@lat'."],
    ],
    [
      'a complex property without source path',
      { target: 'SyndicationTitle' },
      'Size',
      ['S.T.P: a feed mapping of a complex property needs FC_SourcePath, the path to one of its properties.'],
    ],
    [
      'an unknown source',
      { target: 'SyndicationTitle', sourcePath: 'Units' },
      'Size',
      ["S.T.P/Units: the feed mapping names a property that 'T' does not have."],
    ],
  ])('MUST report %s', (_, syndication, type, expected) => {
    expect(mappingErrors(syndication, type)).toEqual(expected)
  })

  it('MUST reject two properties with one target, and two targets of one property', () => {
    const title = { target: 'SyndicationTitle' }
    expect(mappingErrors(title, 'Edm.String', { Q: edm.String({ syndication: title }) })).toEqual([
      "S.T.Q: 'SyndicationTitle' is already the target of another property.",
    ])
    expect(mappingErrors([title, { target: 'SyndicationSummary' }])).toEqual([
      'S.T.P: a property can have only one feed mapping.',
    ])
  })

  it('MUST detect a target that a base type uses, and a source that does not exist', () => {
    const errors = modelErrorsOf(() =>
      defineModel({
        namespace: 'S',
        entityTypes: {
          Base: {
            key: ['ID'],
            properties: { ID, Name: edm.String({ syndication: { target: 'SyndicationTitle' } }) },
          },
          Derived: {
            baseType: 'Base',
            properties: { Note: edm.String() },
            feedMappings: [
              { sourcePath: 'Note', target: 'SyndicationTitle' },
              { sourcePath: 'Not', target: 'SyndicationSummary' },
            ],
          },
        },
        entityContainer: {},
      }),
    )
    expect(errors).toEqual([
      "S.Derived.Note: 'SyndicationTitle' is already the target of another property.",
      "S.Derived.Not: the feed mapping names a property that 'Derived' does not have.",
    ])
  })
})
