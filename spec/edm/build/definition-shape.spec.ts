import { defineModel } from '../../../lib/edm/define-model.js'
import type { ModelDefinition } from '../../../lib/edm/model-definition.js'
import { modelErrorsOf } from '../../support/model-errors-of.js'

/** Accepts any value: callers in JavaScript and definitions from JSON have no static types. */
const errorsOf = (definition: unknown): readonly string[] =>
  modelErrorsOf(() => defineModel(definition as ModelDefinition))

const Product = { key: ['ID'], properties: { ID: { type: 'Edm.Int32', nullable: false } } }
const sound = {
  namespace: 'S',
  entityTypes: { Product },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
}

describe('a definition', () => {
  it('MUST be accepted if it is valid', () => {
    expect(errorsOf(sound)).toEqual([])
  })

  it('MUST NOT have unknown members at any level; the error suggests similar names', () => {
    const errors = errorsOf({
      ...sound,
      entitytypes: {},
      complexTypes: { Size: { propertes: {}, properties: { W: { type: 'Edm.Double', nulable: true } } } },
      entityTypes: {
        Product: { ...Product, hasStreams: true, navigationProperties: {} },
        Other: { ...Product, properties: { ID: { type: 'Edm.Int32', maxlength: 4, color: 'red' } } },
      },
      entityContainer: {
        entitySets: { Products: { entityType: 'Product', pageSize: 10 } },
        functionImports: { F: { return: 'Edm.Int32', httpmethod: 'GET' } },
      },
    })
    expect(errors).toEqual([
      "entityTypes.Product: there is no member 'hasStreams' here. Did you mean 'hasStream'?",
      "entityTypes.Other.properties.ID: there is no member 'maxlength' here. Did you mean 'maxLength'?",
      "entityTypes.Other.properties.ID: there is no member 'color' here.",
      "entityContainer.entitySets.Products: there is no member 'pageSize' here.",
      "entityContainer.functionImports.F: there is no member 'return' here.",
      "entityContainer.functionImports.F: there is no member 'httpmethod' here. Did you mean 'httpMethod'?",
      "model: there is no member 'entitytypes' here. Did you mean 'entityTypes'?",
      "complexTypes.Size: there is no member 'propertes' here. Did you mean 'properties'?",
      "complexTypes.Size.properties.W: there is no member 'nulable' here. Did you mean 'nullable'?",
    ])
  })

  it('MUST get a hint when a member is one level too high', () => {
    expect(errorsOf({ ...sound, entitySets: {} })).toEqual([
      "model: there is no member 'entitySets' here. It belongs in 'entityContainer': entityContainer: { entitySets: { … } }.",
    ])
  })

  it('MUST be checked for other errors after an unknown member', () => {
    const errors = errorsOf({
      ...sound,
      alais: 'Self',
      entityContainer: { entitySets: { Products: { entityType: 'Produkt' } } },
    })
    expect(errors).toEqual([
      "model: there is no member 'alais' here. Did you mean 'alias'?",
      "S.Container.Products: there is no entity type 'Produkt'. Did you mean 'Product'?",
    ])
  })

  it.each<[string, object, string]>([
    [
      'a property that is only a type',
      { ...Product, properties: { ID: 'Edm.Int32' } },
      "properties.ID: must be an object, not 'Edm.Int32'.",
    ],
    [
      'a property without type',
      { ...Product, properties: { ID: {} } },
      "properties.ID: the member 'type' is missing.",
    ],
    [
      'properties in an array',
      { key: ['ID'], properties: [{ name: 'ID' }] },
      'properties: must be an object with members by name, not an array.',
    ],
    ['a key that is not an array', { ...Product, key: 'ID' }, "key: must be an array, not 'ID'."],
    ['a key of objects', { ...Product, key: [{ name: 'ID' }] }, 'key[0]: must be a string, not an object.'],
    [
      'a flag that is a text',
      { ...Product, hasStream: 'true' },
      "hasStream: must be true or false, not 'true'.",
    ],
    [
      'a length that is a text',
      { ...Product, properties: { ID: { type: 'Edm.String', maxLength: '5' } } },
      "properties.ID.maxLength: must be a number, not '5'.",
    ],
    [
      'null for an object',
      { ...Product, properties: null },
      'properties: must be an object with members by name, not null.',
    ],
    [
      'a function',
      { ...Product, properties: () => ({}) },
      'properties: must be an object with members by name, not a function.',
    ],
    [
      'a navigation property without roles',
      { ...Product, navigationProperties: { N: { relationship: 'A', fromRole: 'F' } } },
      "navigationProperties.N: the member 'toRole' is missing.",
    ],
  ])('MUST NOT have %s', (_, type, expected) => {
    expect(errorsOf({ ...sound, entityTypes: { Product: type } })).toEqual([
      `entityTypes.Product.${expected}`,
    ])
  })

  it.each<[string, object, string]>([
    [
      'a multiplicity',
      {
        associations: {
          A: {
            ends: { X: { type: 'Product', multiplicity: '1..n' }, Y: { type: 'Product', multiplicity: '*' } },
          },
        },
      },
      "associations.A.ends.X.multiplicity: must be '0..1', '1' or '*', not '1..n'.",
    ],
    [
      'a concurrency mode',
      { complexTypes: { C: { properties: { P: { type: 'Edm.Int32', concurrencyMode: 'fixed' } } } } },
      "complexTypes.C.properties.P.concurrencyMode: must be 'None' or 'Fixed', not 'fixed'. Did you mean 'Fixed'?",
    ],
    [
      'a method',
      { entityContainer: { functionImports: { F: { httpMethod: 'PUT' } } } },
      "entityContainer.functionImports.F.httpMethod: must be 'GET' or 'POST', not 'PUT'.",
    ],
    [
      'a content kind',
      {
        complexTypes: {
          C: {
            properties: {
              P: { type: 'Edm.String', syndication: { target: 'SyndicationTitle', contentKind: 'HTML' } },
            },
          },
        },
      },
      "complexTypes.C.properties.P.syndication.contentKind: must be 'text', 'html' or 'xhtml', not 'HTML'. Did you mean 'html'?",
    ],
    ['a version', { dataServiceVersion: 2 }, "dataServiceVersion: must be '1.0', '2.0' or '3.0', not 2."],
  ])('MUST have %s from the list', (_, members, expected) => {
    expect(errorsOf({ ...sound, ...members })[0]).toBe(expected)
  })

  it('MUST have annotations that can be serialized as XML', () => {
    const annotation = (members: object) =>
      errorsOf({
        ...sound,
        annotations: { attributes: [{ namespace: 'urn:x', prefix: 'x', name: 'n', value: 'v', ...members }] },
      })
    expect(annotation({})).toEqual([])
    expect(annotation({ prefix: '' })).toEqual([])
    expect(annotation({ name: 'a b' })).toEqual([
      "annotations.attributes[0].name: must be a name of XML, not 'a b'.",
    ])
    expect(annotation({ prefix: 'x:y' })).toEqual([
      "annotations.attributes[0].prefix: must be a name of XML, not 'x:y'.",
    ])
    expect(annotation({ value: 5 })).toEqual(['annotations.attributes[0].value: must be a string, not 5.'])
    expect(annotation({ namespace: undefined })).toEqual([
      "annotations.attributes[0]: the member 'namespace' is missing.",
    ])
  })

  it('MUST have valid annotation elements at all levels', () => {
    const element = { namespace: 'urn:x', prefix: 'x', name: 'e', attributes: [], children: ['text'] }
    const nested = { ...element, children: [{ ...element, children: [5] }] }
    expect(errorsOf({ ...sound, annotations: { elements: [element] } })).toEqual([])
    expect(errorsOf({ ...sound, annotations: { elements: [nested] } })).toEqual([
      'annotations.elements[0].children[0].children[0]: must be an object, not 5.',
    ])
  })

  it.each([
    [undefined, 'model: must be an object, not undefined.'],
    ['<edmx/>', "model: must be an object, not '<edmx/>'."],
    [[], 'model: must be an object, not an array.'],
  ])('MUST be an object, not %p', (definition, expected) => {
    expect(errorsOf(definition)).toEqual([expected])
  })
})
