import express from 'express'
import { memoryProvider, odataV2, readEdmx, writeEdmx } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const edmx = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
<edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
<Schema Namespace="N" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
  <EntityType Name="Party" Abstract="true" m:HasStream="true">
    <Key><PropertyRef Name="ID"/></Key>
    <Property Name="ID" Type="Edm.Int32" Nullable="false" sap:label="Number"/>
    <NavigationProperty Name="Country" Relationship="N.PartyCountry" FromRole="Party" ToRole="Country"/>
  </EntityType>
  <EntityType Name="Person" BaseType="N.Party">
    <Property Name="Address" Type="N.Home" Nullable="false"/>
  </EntityType>
  <EntityType Name="Employee" BaseType="N.Person"><Property Name="Grade" Type="Edm.Int32"/></EntityType>
  <EntityType Name="Country">
    <Key><PropertyRef Name="Code"/></Key><Property Name="Code" Type="Edm.String" Nullable="false"/>
  </EntityType>
  <ComplexType Name="Place"><Property Name="City" Type="Edm.String" sap:label="Town"/></ComplexType>
  <ComplexType Name="Home" BaseType="N.Place"><Property Name="Floor" Type="Edm.Int32"/></ComplexType>
  <Association Name="PartyCountry">
    <End Role="Party" Type="N.Party" Multiplicity="*"/><End Role="Country" Type="N.Country" Multiplicity="0..1"/>
  </Association>
  <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
    <EntitySet Name="Employees" EntityType="N.Employee"/><EntitySet Name="Countries" EntityType="N.Country"/>
    <AssociationSet Name="PartyCountrySet" Association="N.PartyCountry">
      <End Role="Party" EntitySet="Employees"/><End Role="Country" EntitySet="Countries"/>
    </AssociationSet>
  </EntityContainer>
</Schema></edmx:DataServices></edmx:Edmx>`

const typeIn = (document: string, name: string): string =>
  new RegExp(`<(EntityType|ComplexType) Name="${name}".*?</\\1>`).exec(document)?.[0] ?? ''

describe('A metadata document with flattened inheritance', () => {
  const model = readEdmx(edmx)
  const flat = writeEdmx(model, { flattenInheritance: true })

  it('MUST repeat the key and all inherited members in derived types, without BaseType', () => {
    expect(flat).not.toContain('BaseType')
    expect(typeIn(flat, 'Employee')).toBe(
      '<EntityType Name="Employee" m:HasStream="true"><Key><PropertyRef Name="ID"/></Key>' +
        '<Property Name="ID" Type="Edm.Int32" Nullable="false" sap:label="Number"/>' +
        '<Property Name="Address" Type="N.Home" Nullable="false"/><Property Name="Grade" Type="Edm.Int32"/>' +
        '<NavigationProperty Name="Country" Relationship="N.PartyCountry" FromRole="Party" ToRole="Country"/>' +
        '</EntityType>',
    )
    expect(typeIn(flat, 'Home')).toContain('<Property Name="City" Type="Edm.String" sap:label="Town"/>')
  })

  it('MUST leave the other types, and documents without the option, as they are', () => {
    const document = writeEdmx(model)
    expect(writeEdmx(model, { flattenInheritance: false })).toBe(document)
    expect(document).toContain('<EntityType Name="Employee" BaseType="N.Person">')
    for (const name of ['Party', 'Country', 'Place']) expect(typeIn(flat, name)).toBe(typeIn(document, name))
  })

  it('MUST be $metadata of a service with the option, with inherited labels in each language', async () => {
    const app = express()
    const languages = { default: 'en', texts: { de: { labels: { 'N.Party/ID': 'Nummer' } } } }
    const provider = memoryProvider(model, {})
    app.use('/n', odataV2(model, provider, { flattenInheritance: true, languages }))
    const server = await TestServer.start(app)
    const { text } = await server.send('/n/$metadata', { headers: { 'Accept-Language': 'de' } })
    await server.stop()
    expect(typeIn(text, 'Employee')).toContain('sap:label="Nummer"')
    expect(text).not.toContain('BaseType')
    expect(readEdmx(text).defaultContainer.entitySet('Employees')?.entityType.baseType?.name).toBe('Party')
  })

  it('MUST be read with the base types that roles and entity sets require, and with notices', () => {
    const notices: string[] = []
    const read = readEdmx(flat, { onNotice: (notice) => notices.push(notice) })
    const employee = read.defaultContainer.entitySet('Employees')?.entityType
    expect(employee?.baseType?.name).toBe('Party')
    expect(employee?.properties.map(({ name }) => name)).toEqual(['ID', 'Address', 'Grade'])
    expect([employee?.hasStream, employee?.navigationProperty('Country')?.targetType.name]).toEqual([
      true,
      'Country',
    ])
    expect(notices).toEqual([
      'N.Person repeats the members of N.Party, and was read as derived from it.',
      'N.Employee repeats the members of N.Party, and was read as derived from it.',
    ])
    expect(writeEdmx(read, { flattenInheritance: true })).toBe(flat)
  })

  it('MUST be read with base types that only an association set, or a function, requires', () => {
    const withoutNavigation = edmx
      .replace(/<NavigationProperty.*?\/>/, '')
      .replace(
        '</EntityContainer>',
        '<FunctionImport Name="Best" ReturnType="N.Person" EntitySet="Parties"/></EntityContainer>',
      )
      .replace(
        '<EntitySet Name="Countries"',
        '<EntitySet Name="Parties" EntityType="N.Party"/><EntitySet Name="Countries"',
      )
      .replace('sap:label="Number"/>', 'sap:label="Number"/><Property Name="Name" Type="Edm.String"/>')
    const read = readEdmx(writeEdmx(readEdmx(withoutNavigation), { flattenInheritance: true }))
    const baseOf = (name: string) =>
      read.schemas[0]?.entityTypes.find((one) => one.name === name)?.baseType?.name
    expect([baseOf('Employee'), baseOf('Person'), baseOf('Party')]).toEqual(['Party', 'Party', undefined])
  })

  it('MUST not derive types whose members differ from those of the role', () => {
    const other = typeIn(flat, 'Employee').replace('sap:label="Number"', 'sap:label="No"')
    expect(() => readEdmx(flat.replace(typeIn(flat, 'Employee'), other))).toThrow(
      "N.Employee.Country: the role 'Party' belongs to 'N.Party', not to 'N.Employee'.",
    )
  })
})
