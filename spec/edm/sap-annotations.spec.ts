import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel } from '../../lib/edm/define-model.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { SapRestrictions } from '../../lib/edm/sap-annotations.js'
import { linkRestrictions, sapRestrictionsOf } from '../../lib/edm/sap-annotations.js'
import { restrictedModel, restrictedModels, sap } from '../support/services/restricted-service.js'

/** A document with one annotation of each kind; the text of the attributes is put in as it is. */
function documentWith({ set = '', property = '', navigation = '', links = '' } = {}): string {
  return `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
    <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
    <Schema Namespace="F" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
      <EntityType Name="T"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/>
        <Property Name="Flag" Type="Edm.Boolean" ${property}/>
        <Property Name="Inner" Type="F.C"/>
        <NavigationProperty Name="Others" Relationship="F.A" FromRole="One" ToRole="Many" ${navigation}/>
      </EntityType>
      <ComplexType Name="C"><Property Name="Flag" Type="Edm.Boolean"/></ComplexType>
      <Association Name="A"><End Role="One" Type="F.T" Multiplicity="0..1"/><End Role="Many" Type="F.T" Multiplicity="*"/></Association>
      <EntityContainer Name="E" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Ts" EntityType="F.T" ${set}/>
        <AssociationSet Name="As" Association="F.A" ${links}><End Role="One" EntitySet="Ts"/><End Role="Many" EntitySet="Ts"/></AssociationSet>
      </EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`
}

function restrictionsOf(parts: Parameters<typeof documentWith>[0]): SapRestrictions | undefined {
  return sapRestrictionsOf(readEdmx(documentWith(parts)))
}

function namesIn(restrictions: SapRestrictions | undefined): string[] {
  return Object.values(restrictions ?? {}).flatMap((map: ReadonlyMap<{ readonly name: string }, object>) =>
    [...map].map(
      ([{ name }, rules]) =>
        `${name}: ${Object.entries(rules)
          .filter(([, rule]) =>
            Array.isArray(rule) ? rule.length > 0 : rule !== false && rule !== undefined,
          )
          .map(([rule]) => rule)
          .join()}`,
    ),
  )
}

describe('Restrictions by SAP annotations', () => {
  it.each([
    [{ set: 'sap:creatable="false"' }, 'Ts: notCreatable'],
    [{ set: 'sap:updatable="false"' }, 'Ts: notUpdatable'],
    [{ set: 'sap:deletable="false"' }, 'Ts: notDeletable'],
    [{ set: 'sap:updatable-path="Flag"' }, 'Ts: updatablePath'],
    [{ set: 'sap:deletable-path="Inner/Flag"' }, 'Ts: deletablePath'],
    [{ set: 'sap:topable="false"' }, 'Ts: notTopable'],
    [{ set: 'sap:countable="false"' }, 'Ts: notCountable'],
    [{ set: 'sap:addressable="false"' }, 'Ts: notAddressable'],
    [{ set: 'sap:searchable="false"' }, 'Ts: notSearchable'],
    [{ set: 'sap:requires-filter="true"' }, 'Ts: requiresFilter'],
    [{ set: 'sap:requires-filter=" true "' }, 'Ts: requiresFilter'],
    [{ property: 'sap:required-in-filter="true"' }, 'Ts: requiredInFilter'],
    [{ property: 'sap:creatable="false"' }, 'Flag: notCreatable'],
    [{ property: 'sap:updatable="false"' }, 'Flag: notUpdatable'],
    [{ property: 'sap:sortable="false"' }, 'Flag: notSortable'],
    [{ property: 'sap:filterable="false"' }, 'Flag: notFilterable'],
    [{ property: 'sap:filter-restriction="interval"' }, 'Flag: filterRestriction'],
    [{ navigation: 'sap:creatable="false"' }, 'Others: notCreatable'],
    [{ navigation: 'sap:creatable-path="Flag"' }, 'Others: creatablePath'],
    [{ navigation: 'sap:filterable="false"' }, 'Others: notFilterable'],
    [{ links: 'sap:creatable="false"' }, 'As: notCreatable'],
    [{ links: 'sap:updatable="false"' }, 'As: notUpdatable'],
    [{ links: 'sap:deletable="false"' }, 'As: notDeletable'],
  ])('MUST be read from %j', (parts, expected) => {
    expect(namesIn(restrictionsOf(parts))).toEqual([expected])
  })

  it.each([
    {},
    { set: 'sap:creatable="true" sap:pageable="false" sap:label="Ts"' },
    { property: 'sap:filterable="true" sap:required-in-filter="false" sap:visible="false"' },
    // Not to be understood.
    { set: 'sap:creatable="maybe" sap:pageable="" sap:requires-filter="yes" sap:searchable="no"' },
    { set: 'sap:updatable-path="Nothing" sap:deletable-path="ID"' },
    { set: 'sap:updatable-path="" sap:deletable-path="Inner"' },
    { set: 'sap:updatable-path="Flag/Flag" sap:deletable-path="Others/Flag"' },
    { property: 'sap:filterable="maybe" sap:filter-restriction="whatever"' },
    { navigation: 'sap:creatable-path="toString"' },
    // An attribute of another vocabulary.
    { set: 'creatable="false"', property: 'x:sortable="false" xmlns:x="urn:x"' },
  ])('MUST be empty for %j', (parts) => {
    const text = documentWith(parts).replace('EntityType="F.T" creatable="false"', 'EntityType="F.T"')
    expect(sapRestrictionsOf(readEdmx(text))).toBeUndefined()
  })

  it('MUST be computed once for each model', () => {
    expect(sapRestrictionsOf(restrictedModel as EdmModel)).toBe(
      sapRestrictionsOf(restrictedModel as EdmModel),
    )
    const restrictions = sapRestrictionsOf(restrictedModel)
    expect(Object.isFrozen(restrictions)).toBe(true)
    expect([...(restrictions?.sets.values() ?? [])].every(Object.isFrozen)).toBe(true)
  })

  it('MUST be the same for defineModel and EDMX', () => {
    const [defined = [], read] = Object.values(restrictedModels).map((one) =>
      namesIn(sapRestrictionsOf(one())),
    )
    expect(defined.length).toBeGreaterThan(20)
    expect(read).toEqual(defined)
    expect(namesIn(sapRestrictionsOf(readEdmx(writeEdmx(restrictedModel))))).toEqual(defined)
  })

  it('MUST contain the paths of properties that filters require, also in complex properties', () => {
    const set = restrictedModel.defaultContainer.entitySet('Cases')
    const sets = sapRestrictionsOf(restrictedModel)?.sets
    expect(set && sets?.get(set)?.requiredInFilter).toEqual(['Client', 'Place/Zip'])
  })

  it('MUST apply to inherited properties', () => {
    const model = defineModel({
      namespace: 'I',
      entityTypes: {
        Base: {
          key: ['ID'],
          properties: {
            ID: { type: 'Edm.Int32', nullable: false },
            Name: { type: 'Edm.String', ...sap({ sortable: 'false' }) },
          },
        },
        Derived: { baseType: 'Base' },
      },
      entityContainer: { entitySets: { Bases: { entityType: 'Base' } } },
    }) as EdmModel
    const inherited = model.entityTypes.get('I.Derived')?.property('Name')
    expect(inherited && sapRestrictionsOf(model)?.properties.get(inherited)?.notSortable).toBe(true)
  })
})

describe('Annotations of links', () => {
  const model = readEdmx(documentWith({ links: 'sap:updatable="false"' }))
  const restrictions = sapRestrictionsOf(model)
  const set = model.defaultContainer.entitySet('Ts')
  const navigation = set?.entityType.navigationProperty('Others')

  it('MUST be found by the navigation property and the linked sets', () => {
    if (restrictions === undefined || set === undefined || navigation === undefined)
      throw new Error('incomplete')
    expect(linkRestrictions(restrictions, set, navigation, set)).toMatchObject({ notUpdatable: true })
    const other = { ...set, path: 'Other' }
    expect(linkRestrictions(restrictions, set, navigation, other)).toBeUndefined()
    expect(
      linkRestrictions({ ...restrictions, associationSets: new Map() }, set, navigation, set),
    ).toBeUndefined()
  })

  it('MUST NOT apply to links of other associations, or of other sets', () => {
    const ends = (one: string, many: string) => ({ One: one, Many: many })
    const association = {
      ends: { One: { type: 'T', multiplicity: '0..1' }, Many: { type: 'T', multiplicity: '*' } },
    } as const
    const several = defineModel({
      namespace: 'L',
      entityTypes: {
        T: {
          key: ['ID'],
          properties: { ID: { type: 'Edm.Int32', nullable: false } },
          navigationProperties: {
            First: { relationship: 'A', fromRole: 'One', toRole: 'Many' },
            Second: { relationship: 'B', fromRole: 'One', toRole: 'Many' },
          },
        },
      },
      associations: { A: association, B: association },
      entityContainer: {
        entitySets: { X: { entityType: 'T' }, Y: { entityType: 'T' } },
        associationSets: {
          XY: { association: 'A', ends: ends('X', 'Y'), ...sap({ creatable: 'false' }) },
          YX: { association: 'A', ends: ends('Y', 'X'), ...sap({ updatable: 'false' }) },
          B: { association: 'B', ends: ends('X', 'Y'), ...sap({ deletable: 'false' }) },
        },
      },
    }) as EdmModel
    const [x, y] = several.defaultContainer.entitySets
    const found = sapRestrictionsOf(several)
    const [first, second] = several.entityTypes.get('L.T')?.navigationProperties ?? []
    if (
      found === undefined ||
      x === undefined ||
      y === undefined ||
      first === undefined ||
      second === undefined
    )
      throw new Error('incomplete')
    expect([
      linkRestrictions(found, x, first, y),
      linkRestrictions(found, y, first, x),
      linkRestrictions(found, x, second, y),
    ]).toMatchObject([{ notCreatable: true }, { notUpdatable: true }, { notDeletable: true }])
    expect(linkRestrictions(found, y, second, x)).toBeUndefined()
  })
})
