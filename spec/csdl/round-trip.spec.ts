import { codePoint, fc, runs } from '../support/random.js'
import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { annotationValue } from '../../lib/edm/annotations.js'
import { isXmlText } from '../support/xml-text.js'
import { everyConstruct } from '../support/every-construct.js'
import { modelAsData } from '../support/model-as-data.js'
import { factsOf } from '../support/xml-facts.js'

describe('A document with every construct', () => {
  const model = readEdmx(everyConstruct)
  const written = writeEdmx(model)

  it('MUST have the same content after parsing and serialization', () => {
    expect(factsOf(written)).toEqual(factsOf(everyConstruct))
  })

  it('MUST result in the same model and document when it is parsed and serialized again', () => {
    const again = readEdmx(written)
    expect(modelAsData(again)).toEqual(modelAsData(model))
    expect(writeEdmx(again)).toBe(written)
  })

  it('MUST be serialized as one line, with its XML declaration', () => {
    expect(written.startsWith('<?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="1.0"')).toBe(true)
    expect(written).not.toMatch(/[\r\n\t]|>\s+</)
  })

  it('MUST preserve the version of CSDL of each schema', () => {
    expect(written).toContain(
      '<Schema Namespace="NW" Alias="Self" xmlns="http://schemas.microsoft.com/ado/2008/09/edm"',
    )
    expect(written).toContain(
      '<Schema Namespace="NW.Service" xmlns="http://schemas.microsoft.com/ado/2007/05/edm">',
    )
  })
})

describe('A document with elements in its documentation', () => {
  it('MUST preserve them, separately from the text around them', () => {
    const summary =
      '<Summary>See <x:b>it</x:b>there<x:i/></Summary><LongDescription><x:p>all</x:p></LongDescription>'
    const document = everyConstruct
      .replace('<Summary>Types</Summary>', summary)
      .replace(/<LongDescription>&lt;.*?<\/LongDescription>/, '')
    const model = readEdmx(document)
    const again = readEdmx(writeEdmx(model))
    expect(model.schemas[0]?.documentation).toEqual({ summary: 'See there', longDescription: '' })
    expect(writeEdmx(model)).toContain('<Summary>See there<x:b>it</x:b><x:i/></Summary>')
    expect(writeEdmx(model)).toContain('<LongDescription><x:p>all</x:p></LongDescription>')
    expect(modelAsData(again)).toEqual(modelAsData(model))
  })
})

describe('writeEdmx', () => {
  const shop = (name: string, value: string) =>
    defineModel({
      namespace: 'Shop',
      documentation: { summary: value, longDescription: value },
      entityTypes: {
        Product: {
          key: ['ID'],
          properties: {
            ID: edm.Int32({ nullable: false }),
            Name: edm.String({
              defaultValue: value,
              collation: value,
              annotations: {
                attributes: [{ namespace: 'urn:x', prefix: 'x', name, value }],
                elements: [
                  {
                    namespace: 'urn:x',
                    prefix: 'x',
                    name,
                    attributes: [{ namespace: '', prefix: '', name: 'v', value }],
                    children: value === '' ? [] : [value],
                  },
                ],
              },
            }),
          },
        },
      },
      entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
    })

  it.each([
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['"', '&quot;'],
    ['\n', '&#10;'],
    ['\t', '&#9;'],
    ['\r', '&#13;'],
    ['&amp;', '&amp;amp;'],
  ])('MUST serialize %j in attributes as %s', (value, escaped) => {
    expect(writeEdmx(shop('note', `a${value}b`))).toContain(`DefaultValue="a${escaped}b"`)
  })

  it('MUST preserve all characters of XML in every place', () => {
    const value = fc
      .string({
        unit: fc.oneof(fc.constantFrom(...'&<>"\'\t\n\r ]'), fc.string({ unit: codePoint, maxLength: 1 })),
      })
      .filter((text) => isXmlText(text))
    fc.assert(
      fc.property(value, (text) => {
        const model = shop('note', text)
        expect(modelAsData(readEdmx(writeEdmx(model)))).toEqual(modelAsData(model))
      }),
      { numRuns: runs(200) },
    )
  })

  it('MUST declare a prefix for every namespace, and one prefix for one namespace', () => {
    const attribute = (namespace: string, prefix: string) => ({
      namespace,
      prefix,
      name: 'n',
      value: namespace,
    })
    const model = defineModel({
      namespace: 'Shop',
      annotations: {
        attributes: [
          attribute('urn:1', 'p'),
          attribute('urn:2', 'p'),
          attribute('urn:3', ''),
          attribute('urn:4', 'm'),
          attribute('urn:5', 'edmx'),
          attribute('urn:6', 'xml'),
          attribute('urn:7', 'xmlns'),
        ],
      },
      entityTypes: { A: { key: ['ID'], properties: { ID: edm.Int32({ nullable: false }) } } },
      entityContainer: { entitySets: { As: { entityType: 'A' } } },
    })
    const text = writeEdmx(model)
    const [schema] = readEdmx(text).schemas
    for (const { namespace } of model.schemas[0]?.annotations.attributes ?? []) {
      expect(schema && annotationValue(schema, namespace, 'n')).toBe(namespace)
    }
    expect(writeEdmx(readEdmx(text))).toBe(text)
  })
})

describe('Unknown constructs of CSDL', () => {
  const around = (inside: string, xmlNamespace = 'http://schemas.microsoft.com/ado/2009/11/edm') =>
    `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices
      m:DataServiceVersion="3.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"><Schema
      Namespace="N" xmlns="${xmlNamespace}">
      <EntityType Name="A"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true"><EntitySet Name="As" EntityType="N.A"/></EntityContainer>
      ${inside}</Schema></edmx:DataServices></edmx:Edmx>`

  it.each([
    ['an enumeration', '<EnumType Name="E" IsFlags="true"><Member Name="A" Value="1"/></EnumType>'],
    ['annotations', '<Annotations Target="N.A"><ValueAnnotation Term="T.t" String="s"/></Annotations>'],
    [
      'annotations of version 4',
      '<Annotations xmlns="http://docs.oasis-open.org/odata/ns/edm" Target="N.A"><Annotation Term="T.t"><Collection><String>s</String></Collection></Annotation></Annotations>',
    ],
    [
      'an element of another version of CSDL',
      '<Later xmlns="http://schemas.microsoft.com/ado/2008/09/edm"><Inner/></Later>',
    ],
    [
      'an element of no namespace with one of CSDL inside',
      '<z xmlns=""><y/><x xmlns="http://schemas.microsoft.com/ado/2009/11/edm"/></z>',
    ],
    ['text with blanks', '<v:a xmlns:v="urn:v"> x <v:b/> </v:a>'],
    ['blanks that are to be preserved', '<v:a xmlns:v="urn:v" xml:space="preserve"> <v:b> </v:b> </v:a>'],
  ])('MUST be preserved in the document: %s', (_, inside) => {
    const document = around(inside)
    const written = writeEdmx(readEdmx(document))
    expect(factsOf(written)).toEqual(factsOf(document))
    expect(writeEdmx(readEdmx(written))).toBe(written)
  })

  it('MUST preserve significant white space', () => {
    const written = writeEdmx(
      readEdmx(around('<v:a xmlns:v="urn:v" xml:space="preserve"> <v:b> </v:b> </v:a>')),
    )
    expect(written).toContain('<v:a xml:space="preserve"> <v:b> </v:b> </v:a>')
  })

  it('MUST remove white space of the layout', () => {
    const written = writeEdmx(readEdmx(around('<v:a xmlns:v="urn:v">\n  <v:b> </v:b>\n</v:a>')))
    expect(written).toContain('<v:a><v:b> </v:b></v:a>')
  })
})
