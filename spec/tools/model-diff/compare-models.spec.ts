import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { compareModels } from '../../../lib/tools/model-diff/compare-models.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import { everyConstruct } from '../../support/every-construct.js'

const document = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"
    xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" xmlns:sap="http://www.sap.com/Protocols/SAPData">
  <edmx:DataServices m:DataServiceVersion="1.0">
    <Schema Namespace="Shop" xmlns="http://schemas.microsoft.com/ado/2008/09/edm"
        xmlns:a="http://schemas.microsoft.com/ado/2009/02/edm/annotation">
      <EntityType Name="Thing">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Name" Type="Edm.String" MaxLength="40"/>
        <Property Name="Done" Type="Edm.Boolean" Nullable="false"/>
        <NavigationProperty Name="Owner" Relationship="Shop.Owns" FromRole="Things" ToRole="Owner"/>
      </EntityType>
      <EntityType Name="Book" BaseType="Shop.Thing">
        <Property Name="Pages" Type="Edm.Int32" Nullable="false" DefaultValue="0"/>
      </EntityType>
      <EntityType Name="Person">
        <Key><PropertyRef Name="First"/><PropertyRef Name="Last"/></Key>
        <Property Name="First" Type="Edm.String" Nullable="false"/>
        <Property Name="Last" Type="Edm.String" Nullable="false"/>
        <Property Name="Home" Type="Shop.Address" Nullable="false"/>
        <Property Name="Rank" Type="Edm.Decimal" Precision="5" Scale="2"/>
        <NavigationProperty Name="Things" Relationship="Shop.Owns" FromRole="Owner" ToRole="Things"/>
      </EntityType>
      <ComplexType Name="Address"><Property Name="City" Type="Edm.String"/></ComplexType>
      <Association Name="Owns">
        <End Role="Owner" Type="Shop.Person" Multiplicity="0..1"/>
        <End Role="Things" Type="Shop.Thing" Multiplicity="*"/>
      </Association>
      <EntityContainer Name="Container" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Things" EntityType="Shop.Thing"/>
        <EntitySet Name="People" EntityType="Shop.Person"/>
        <AssociationSet Name="Owns" Association="Shop.Owns">
          <End Role="Owner" EntitySet="People"/><End Role="Things" EntitySet="Things"/>
        </AssociationSet>
        <FunctionImport Name="Find" EntitySet="Things" ReturnType="Collection(Shop.Thing)" m:HttpMethod="GET">
          <Parameter Name="text" Type="Edm.String" Nullable="true"/>
        </FunctionImport>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`

/** `! path: message` for what breaks, `  path: message` for what does not. */
function changesOf(from: string | RegExp, to: string): string[] {
  const changed = document.replace(from, to)
  expect(changed).not.toBe(document)
  return compareModels(readEdmx(document), readEdmx(changed)).map(
    ({ breaking, path, message }) => `${breaking ? '!' : ' '} ${path}: ${message}`,
  )
}

describe('Two models that are the same', () => {
  it.each([
    ['the sample', northwindModel],
    ['every construct', readEdmx(everyConstruct)],
  ])('MUST have no differences: %s', (_name, model) => {
    expect(compareModels(model, model)).toEqual([])
  })

  it('MUST be empty when only labels and descriptions differ', () => {
    expect(changesOf('Name="Name" Type', 'Name="Name" sap:label="Called" Type')).toEqual([])
    expect(changesOf('<Property Name="Name"', '<!-- the name --><Property Name="Name"')).toEqual([])
  })
})

describe('A change that removes elements', () => {
  it.each<[string, string | RegExp, string, string[]]>([
    ['a function', /<FunctionImport[^]*<\/FunctionImport>/, '', ['! Find: removed']],
    ['a property', /<Property Name="Name".*\n/, '', ['! Shop.Thing/Name: removed']],
    [
      'a property of a complex type',
      '"City"',
      '"Town"',
      ['! Shop.Address/City: removed', '  Shop.Address/Town: added'],
    ],
    ['a navigation property', /<NavigationProperty Name="Owner".*\n/, '', ['! Shop.Thing/Owner: removed']],
    ['a type', /<EntityType Name="Book"[^]*?<\/EntityType>/, '', ['! Shop.Book: removed']],
    ['length', 'MaxLength="40"', 'MaxLength="20"', ['! Shop.Thing/Name: MaxLength 40 became 20']],
    ['precision', 'Precision="5"', 'Precision="4"', ['! Shop.Person/Rank: Precision 5 became 4']],
    [
      'null',
      'MaxLength="40"',
      'MaxLength="40" Nullable="false"',
      ['! Shop.Thing/Name: is no longer nullable'],
    ],
    [
      'the promise of a value',
      'Type="Edm.Int32" Nullable="false" DefaultValue',
      'Type="Edm.Int32" DefaultValue',
      ['! Shop.Book/Pages: became nullable'],
    ],
    ['a default', ' DefaultValue="0"', '', ['! Shop.Book/Pages: default 0 was removed']],
    [
      'the form of values',
      'Type="Edm.String" MaxLength="40"',
      'Type="Edm.Guid"',
      ['! Shop.Thing/Name: type Edm.String became Edm.Guid'],
    ],
    ['a value of the key', '<PropertyRef Name="First"/>', '', ['! Shop.Person: key First, Last became Last']],
    [
      'a base type',
      ' BaseType="Shop.Thing">',
      '><Key><PropertyRef Name="Pages"/></Key>',
      ['! Shop.Book: is no longer derived from Shop.Thing'],
    ],
    [
      'the right to change',
      'MaxLength="40"',
      'MaxLength="40" ConcurrencyMode="Fixed"',
      ['! Shop.Thing/Name: became part of the ETag'],
    ],
    [
      'its own values',
      'MaxLength="40"',
      'MaxLength="40" a:StoreGeneratedPattern="Computed"',
      ['! Shop.Thing/Name: is generated by the service'],
    ],
    [
      'filters',
      'MaxLength="40"',
      'MaxLength="40" sap:filterable="false"',
      ['! Shop.Thing/Name: can no longer be filtered by (sap:filterable)'],
    ],
    [
      'creation',
      '"Shop.Thing"/>',
      '"Shop.Thing" sap:creatable="false"/>',
      ['! Things: can no longer be added to (sap:creatable)'],
    ],
    [
      'deletion of some',
      /Name="Pages"(.*)"Shop.Thing"\/>/s,
      'Name="Pages"$1"Shop.Thing" sap:deletable-path="Done"/>',
      ['! Things: can be deleted only where Done is true (sap:deletable-path)'],
    ],
    [
      'the kind of entity',
      '<EntityType Name="Person"',
      '<EntityType Name="Person" m:HasStream="true"',
      ['! Shop.Person: became a media link entry'],
    ],
    ['a namespace', /Shop\b/g, 'Store', ['! Store: namespace Shop became Store']],
    ['a method', '"GET"', '"POST"', ['! Find: is called by POST instead of GET']],
    [
      'a result',
      'Collection(Shop.Thing)',
      'Shop.Thing',
      ['! Find: returns Shop.Thing instead of Collection(Shop.Thing)'],
    ],
    ['a parameter', /<Parameter.*/, '', ['! Find/text: removed']],
    [
      'a call without a parameter',
      '</FunctionImport>',
      '<Parameter Name="n" Type="Edm.Int32" Nullable="false"/></FunctionImport>',
      ['! Find/n: added'],
    ],
    [
      'a new entity without a property',
      '<Property Name="Name"',
      '<Property Name="New" Type="Edm.Int32" Nullable="false"/><Property Name="Name"',
      ['! Shop.Thing/New: added'],
    ],
  ])('MUST be breaking: %s', (_what, from, to, expected) => {
    expect(changesOf(from, to)).toEqual(expect.arrayContaining(expected))
    expect(changesOf(from, to).filter((one) => one.startsWith('!')).length).toBeGreaterThan(0)
  })

  it('MUST be breaking when a set has another name', () => {
    const changes = changesOf(/"People"/g, '"Persons"')
    expect(changes).toEqual([
      '! Things/Owner: leads to Persons instead of People',
      '! People: removed',
      '  Persons: added',
    ])
  })

  it('MUST be breaking in one property when a multiplicity changes', () => {
    expect(changesOf('Multiplicity="0..1"', 'Multiplicity="1"')).toEqual([
      '! Shop.Thing/Owner: multiplicity 0..1 became 1',
    ])
    expect(changesOf('Multiplicity="0..1"', 'Multiplicity="*"')).toEqual([
      '! Shop.Thing/Owner: multiplicity 0..1 became *',
    ])
  })

  it('MUST be named once, where it is declared, and not for each derived type', () => {
    expect(changesOf('MaxLength="40"', 'MaxLength="20"')).toHaveLength(1)
  })
})

describe('A change that only adds', () => {
  it.each<[string, string | RegExp, string, string[]]>([
    [
      'a nullable property',
      '<Property Name="Name"',
      '<Property Name="New" Type="Edm.Int32"/><Property Name="Name"',
      ['  Shop.Thing/New: added'],
    ],
    [
      'a property with a default',
      '<Property Name="Name"',
      '<Property Name="New" Type="Edm.Int32" Nullable="false" DefaultValue="1"/><Property Name="Name"',
      ['  Shop.Thing/New: added'],
    ],
    [
      'a property that clients do not set',
      '<Property Name="Name"',
      '<Property Name="New" Type="Edm.Int32" Nullable="false" sap:creatable="false"/><Property Name="Name"',
      ['  Shop.Thing/New: added'],
    ],
    ['length', 'MaxLength="40"', 'MaxLength="Max"', ['  Shop.Thing/Name: MaxLength 40 became Max']],
    [
      'an entity set',
      '<EntitySet Name="Things"',
      '<EntitySet Name="More" EntityType="Shop.Address2"/><EntitySet Name="Things"',
      ['  More: added'],
    ],
    [
      'a nullable parameter',
      '</FunctionImport>',
      '<Parameter Name="n" Type="Edm.Int32" Nullable="true"/></FunctionImport>',
      ['  Find/n: added'],
    ],
    ['a method', ' m:HttpMethod="GET"', '', ['  Find: is called by GET and POST instead of GET']],
    [
      'a version that clients know',
      'DataServiceVersion="1.0"',
      'DataServiceVersion="2.0"',
      ['  DataServiceVersion: version 1.0 became 2.0'],
    ],
    [
      'another order of the key',
      '<PropertyRef Name="First"/><PropertyRef Name="Last"/>',
      '<PropertyRef Name="Last"/><PropertyRef Name="First"/>',
      ['  Shop.Person: key First, Last became Last, First'],
    ],
  ])('MUST be compatible: %s', (_what, from, to, expected) => {
    expect(changesOf(from, to.replace('Shop.Address2', 'Shop.Person'))).toEqual(expected)
  })
})
