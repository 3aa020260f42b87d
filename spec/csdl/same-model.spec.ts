import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { defineModel, edm } from '../../lib/edm/define-model.js'
import { container, edmxAround, edmxOf, entityTypeT } from '../support/edmx-document.js'
import { modelAsData } from '../support/model-as-data.js'

const csdl2 = 'http://schemas.microsoft.com/ado/2008/09/edm'
const ID = edm.Int32({ nullable: false })

/** Both ways to the model must end in the same place, and so must the way from one to the other. */
function expectSame(document: string, defined: ReturnType<typeof defineModel>): void {
  const read = readEdmx(document)
  expect(modelAsData(read)).toEqual(modelAsData(defined))
  expect(writeEdmx(read)).toBe(writeEdmx(defined))
  expect(modelAsData(readEdmx(writeEdmx(defined)))).toEqual(modelAsData(defined))
}

describe('readEdmx and defineModel', () => {
  it('MUST create the same model: two schemas and containers, inheritance, associations, functions', () => {
    const document = edmxOf(`
      <Schema Namespace="NW" Alias="Self" xmlns="${csdl2}">
        <EntityType Name="Party" Abstract="true" OpenType="false">
          <Key><PropertyRef Name="ID"/></Key>
          <Property Name="ID" Type="Edm.Int32" Nullable="false" a:StoreGeneratedPattern="Identity"/>
          <Property Name="Home" Type="Self.Address"/>
          <Property Name="Version" Type="Edm.Int64" Nullable="false" ConcurrencyMode="Fixed" DefaultValue="0"/>
          <Property Name="Parent_ID" Type="Edm.Int32"/>
          <NavigationProperty Name="Parent" Relationship="Self.Tree" FromRole="Child" ToRole="Parent"/>
          <NavigationProperty Name="Children" Relationship="Self.Tree" FromRole="Parent" ToRole="Child"/>
        </EntityType>
        <EntityType Name="Person" BaseType="Self.Party" m:HasStream="true">
          <Property Name="Born" Type="Edm.DateTime" Precision="3"/>
        </EntityType>
        <EntityType Name="Line">
          <Key><PropertyRef Name="Order"/><PropertyRef Name="No"/></Key>
          <Property Name="No" Type="Edm.Int16" Nullable="false"/>
          <Property Name="Order" Type="Edm.Int32" Nullable="false"/>
          <Property Name="Text" Type="Edm.String" MaxLength="Max" Unicode="true" FixedLength="false" Collation="C"/>
          <Property Name="Price" Type="Edm.Decimal" Precision="10" Scale="2"/>
          <Property Name="Pic" Type="Edm.Binary" m:MimeType="image/png"/>
          <NavigationProperty Name="Person" Relationship="Self.PersonLines" FromRole="Lines" ToRole="Person"/>
        </EntityType>
        <ComplexType Name="Address"><Property Name="Position" Type="Self.Position"/></ComplexType>
        <ComplexType Name="Position"><Property Name="Lat" Type="Edm.Double" Nullable="false"/></ComplexType>
        <Association Name="Tree">
          <End Role="Parent" Type="Self.Party" Multiplicity="0..1"><OnDelete Action="Cascade"/></End>
          <End Role="Child" Type="Self.Party" Multiplicity="*"/>
          <ReferentialConstraint>
            <Principal Role="Parent"><PropertyRef Name="ID"/></Principal>
            <Dependent Role="Child"><PropertyRef Name="Parent_ID"/></Dependent>
          </ReferentialConstraint>
        </Association>
        <Association Name="PersonLines">
          <End Role="Lines" Type="Self.Line" Multiplicity="*"/>
          <End Role="Person" Type="Self.Person" Multiplicity="1"/>
          <ReferentialConstraint>
            <Principal Role="Person"><PropertyRef Name="ID"/></Principal>
            <Dependent Role="Lines"><PropertyRef Name="Order"/></Dependent>
          </ReferentialConstraint>
        </Association>
      </Schema>
      <Schema Namespace="Service" xmlns="${csdl2}">
        <Using Namespace="NW" Alias="N"/>
        <EntityContainer Name="Main" m:IsDefaultEntityContainer="true">
          <EntitySet Name="Parties" EntityType="N.Party"/>
          <EntitySet Name="Lines" EntityType="N.Line"/>
          <AssociationSet Name="Trees" Association="N.Tree">
            <End Role="Parent" EntitySet="Parties"/><End Role="Child" EntitySet="Parties"/>
          </AssociationSet>
          <FunctionImport Name="Oldest" EntitySet="Parties" ReturnType="N.Person" m:HttpMethod="GET"/>
          <FunctionImport Name="All" EntitySet="Parties" ReturnType="Collection(N.Party)"/>
          <FunctionImport Name="Names" ReturnType="Collection(Edm.String)" m:HttpMethod="GET"/>
          <FunctionImport Name="Where" ReturnType="N.Address" m:HttpMethod="GET"/>
          <FunctionImport Name="Total" ReturnType="Edm.Int32" m:HttpMethod="GET"/>
          <FunctionImport Name="Raise" m:HttpMethod="POST">
            <Parameter Name="pct" Type="Edm.Double" Mode="In" Nullable="false"/>
          </FunctionImport>
        </EntityContainer>
        <EntityContainer Name="Archive" Extends="Main"><EntitySet Name="Lines" EntityType="N.Line"/></EntityContainer>
      </Schema>`)
    const defined = defineModel({
      dataServiceVersion: '2.0',
      schemas: [
        {
          namespace: 'NW',
          alias: 'Self',
          entityTypes: {
            Party: {
              abstract: true,
              key: ['ID'],
              properties: {
                ID: edm.Int32({ storeGeneratedPattern: 'Identity' }),
                Home: { type: 'Address' },
                Version: edm.Int64({ nullable: false, concurrencyMode: 'Fixed', defaultValue: '0' }),
                Parent_ID: edm.Int32(),
              },
              navigationProperties: {
                Parent: { relationship: 'Tree', fromRole: 'Child', toRole: 'Parent' },
                Children: { relationship: 'NW.Tree', fromRole: 'Parent', toRole: 'Child' },
              },
            },
            Person: {
              baseType: 'Party',
              hasStream: true,
              properties: { Born: edm.DateTime({ precision: 3 }) },
            },
            Line: {
              key: ['Order', 'No'],
              properties: {
                No: edm.Int16(),
                Order: edm.Int32(),
                Text: edm.String({ maxLength: 'Max', unicode: true, fixedLength: false, collation: 'C' }),
                Price: edm.Decimal({ precision: 10, scale: 2 }),
                Pic: edm.Binary({ mimeType: 'image/png' }),
              },
              navigationProperties: {
                Person: { relationship: 'PersonLines', fromRole: 'Lines', toRole: 'Person' },
              },
            },
          },
          complexTypes: {
            Address: { properties: { Position: { type: 'Position' } } },
            Position: { properties: { Lat: edm.Double({ nullable: false }) } },
          },
          associations: {
            Tree: {
              ends: {
                Parent: { type: 'Party', multiplicity: '0..1', onDelete: 'Cascade' },
                Child: { type: 'Party', multiplicity: '*' },
              },
              referentialConstraint: {
                principal: { role: 'Parent', properties: ['ID'] },
                dependent: { role: 'Child', properties: ['Parent_ID'] },
              },
            },
            PersonLines: {
              ends: {
                Lines: { type: 'Line', multiplicity: '*' },
                Person: { type: 'Person', multiplicity: '1' },
              },
              referentialConstraint: {
                principal: { role: 'Person', properties: ['ID'] },
                dependent: { role: 'Lines', properties: ['Order'] },
              },
            },
          },
        },
        {
          namespace: 'Service',
          usings: [{ namespace: 'NW', alias: 'N' }],
          entityContainers: {
            Main: {
              default: true,
              entitySets: { Parties: { entityType: 'NW.Party' }, Lines: { entityType: 'N.Line' } },
              associationSets: {
                Trees: {
                  association: 'N.Tree',
                  ends: { Parent: 'Parties', Child: { entitySet: 'Parties' } },
                },
              },
              functionImports: {
                Oldest: { returnType: 'N.Person', httpMethod: 'GET' },
                All: { returnType: 'Collection(NW.Party)', entitySet: 'Parties' },
                Names: { returnType: 'Collection(Edm.String)', httpMethod: 'GET' },
                Where: { returnType: 'N.Address', httpMethod: 'GET' },
                Total: { returnType: 'Edm.Int32', httpMethod: 'GET' },
                Raise: {
                  httpMethod: 'POST',
                  parameters: { pct: { ...edm.Double({ nullable: false }), mode: 'In' } },
                },
              },
            },
            Archive: { extends: 'Main', entitySets: { Lines: { entityType: 'N.Line' } } },
          },
        },
      ],
    })
    expectSame(document, defined)
  })

  it('MUST create the same model: feed customizations', () => {
    const document = edmxAround(
      `<ComplexType Name="Size"><Property Name="W" Type="Edm.Double"/><Property Name="Unit" Type="Edm.String"/></ComplexType>
       ${entityTypeT(
         `<Property Name="Name" Type="Edm.String" m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="false"/>
          <Property Name="Dims" Type="S.Size" m:FC_TargetPath="size/@w" m:FC_SourcePath="W" m:FC_NsUri="urn:s" m:FC_NsPrefix="s"
            m:FC_TargetPath_1="SyndicationRights" m:FC_SourcePath_1="Unit" m:FC_ContentKind_1="html"/>
          <Property Name="Note" Type="Edm.String"/>`,
         'm:FC_TargetPath="SyndicationSummary" m:FC_SourcePath="Note" m:FC_ContentKind="xhtml"',
       )}${container()}`,
    )
    const defined = defineModel({
      dataServiceVersion: '2.0',
      namespace: 'S',
      complexTypes: { Size: { properties: { W: edm.Double(), Unit: edm.String() } } },
      entityTypes: {
        T: {
          key: ['ID'],
          properties: {
            ID,
            Name: edm.String({ syndication: { target: 'SyndicationTitle', keepInContent: false } }),
            Dims: {
              type: 'Size',
              syndication: [
                { target: 'size/@w', sourcePath: 'W', namespaceUri: 'urn:s', namespacePrefix: 's' },
                { target: 'SyndicationRights', sourcePath: 'Unit', contentKind: 'html' },
              ],
            },
            Note: edm.String(),
          },
          feedMappings: [{ target: 'SyndicationSummary', sourcePath: 'Note', contentKind: 'xhtml' }],
        },
      },
      entityContainer: { name: 'C', entitySets: { Ts: { entityType: 'T' } } },
    })
    expectSame(document, defined)
  })

  it('MUST create the same model: documentation and annotations', () => {
    const document = edmxAround(
      `${entityTypeT(
        '<Property Name="A" Type="Edm.String" sap:label="The A"><Documentation><Summary>An A</Summary></Documentation></Property>',
        'sap:content-version="1"',
      ).replace('<Key>', '<Key sap:kept="yes">')}${container('<sap:note kind="x">Hello</sap:note>')}`,
    )
    const label = { namespace: 'http://www.sap.com/Protocols/SAPData', prefix: 'sap' }
    const defined = defineModel({
      dataServiceVersion: '2.0',
      namespace: 'S',
      entityTypes: {
        T: {
          key: ['ID'],
          annotations: {
            attributes: [{ ...label, name: 'content-version', value: '1' }],
            parts: {
              Key: { annotations: { attributes: [{ ...label, name: 'kept', value: 'yes' }], elements: [] } },
            },
          },
          properties: {
            ID,
            A: edm.String({
              documentation: { summary: 'An A' },
              annotations: { attributes: [{ ...label, name: 'label', value: 'The A' }] },
            }),
          },
        },
      },
      entityContainer: {
        name: 'C',
        entitySets: { Ts: { entityType: 'T' } },
        annotations: {
          elements: [
            {
              ...label,
              name: 'note',
              attributes: [{ namespace: '', prefix: '', name: 'kind', value: 'x' }],
              children: ['Hello'],
            },
          ],
        },
      },
    })
    expectSame(document, defined)
  })
})
