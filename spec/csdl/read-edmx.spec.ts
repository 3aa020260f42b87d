import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { annotationValue, sapNamespace } from '../../lib/edm/annotations.js'
import { fileModel } from '../../lib/providers/file-system/file-model.js'
import { container, edmxAround, edmxOf, entityTypeT } from '../support/edmx-document.js'
import { everyConstruct } from '../support/every-construct.js'
import { modelAsData } from '../support/model-as-data.js'

const csdl2 = 'http://schemas.microsoft.com/ado/2008/09/edm'

describe('readEdmx', () => {
  it('MUST parse the model of the file service to the same model as its definition', () => {
    const document = `<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
      <edmx:DataServices m:DataServiceVersion="2.0" xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">
        <Schema Namespace="FSSchema" xmlns="${csdl2}">
          <EntityContainer Name="FS" m:IsDefaultEntityContainer="true">
            <EntitySet Name="Files" EntityType="FSSchema.File"/>
            <AssociationSet Name="Directories" Association="FSSchema.Directory">
              <End Role="Parent" EntitySet="Files"/>
              <End Role="Child" EntitySet="Files"/>
            </AssociationSet>
          </EntityContainer>
          <EntityType Name="File" m:HasStream="true">
            <Key><PropertyRef Name="path"/></Key>
            <Property Name="path" Type="Edm.String" Nullable="false" MaxLength="1024" Unicode="false" FixedLength="false"/>
            <Property Name="name" Type="Edm.String" Nullable="false" MaxLength="255" Unicode="true" FixedLength="false"
              m:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="true"/>
            <Property Name="isDirectory" Type="Edm.Boolean" Nullable="false"/>
            <Property Name="size" Type="Edm.Int32" Nullable="true"/>
            <Property Name="lastAccess" Type="Edm.DateTime" Nullable="false" Precision="3"/>
            <Property Name="lastModified" Type="Edm.DateTime" Nullable="false" Precision="3"
              m:FC_TargetPath="SyndicationUpdated" m:FC_KeepInContent="true"/>
            <NavigationProperty Name="Files" Relationship="FSSchema.Directory" FromRole="Parent" ToRole="Child"/>
            <NavigationProperty Name="Parent" Relationship="FSSchema.Directory" FromRole="Child" ToRole="Parent"/>
          </EntityType>
          <Association Name="Directory">
            <End Role="Parent" Type="FSSchema.File" Multiplicity="0..1"/>
            <End Role="Child" Type="FSSchema.File" Multiplicity="*"/>
          </Association>
        </Schema>
      </edmx:DataServices>
    </edmx:Edmx>`
    expect(modelAsData(readEdmx(document))).toEqual(modelAsData(fileModel))
    expect(writeEdmx(readEdmx(document))).toBe(writeEdmx(fileModel))
  })

  it.each([
    'http://schemas.microsoft.com/ado/2006/04/edm',
    'http://schemas.microsoft.com/ado/2007/05/edm',
    'http://schemas.microsoft.com/ado/2008/01/edm',
    'http://schemas.microsoft.com/ado/2008/09/edm',
    'http://schemas.microsoft.com/ado/2009/11/edm',
  ])('MUST parse schemas in the version of CSDL of %s', (namespace) => {
    const model = readEdmx(edmxAround(entityTypeT() + container(), namespace))
    expect(model.schemas[0]?.xmlNamespace).toBe(namespace)
    expect([...model.entityTypes.keys()]).toEqual(['S.T'])
  })

  it('MUST parse schemas of different versions of CSDL in one document', () => {
    const model = readEdmx(
      edmxOf(
        `<Schema Namespace="A" xmlns="http://schemas.microsoft.com/ado/2006/04/edm"><EntityContainer Name="C"><EntitySet Name="Ts" EntityType="S.T"/></EntityContainer></Schema>
         <Schema Namespace="S" xmlns="${csdl2}">${entityTypeT()}</Schema>`,
      ),
    )
    expect(model.schemas.map(({ namespace }) => namespace)).toEqual(['A', 'S'])
    expect(model.defaultContainer.entitySet('Ts')?.entityType.qualifiedName).toBe('S.T')
  })

  it.each([
    ['m:DataServiceVersion="1.0"', '1.0'],
    ['m:DataServiceVersion="2.0"', '2.0'],
    ['m:DataServiceVersion="3.0"', '3.0'],
    ['', '1.0'],
  ])('MUST determine the version from %j', (attributes, version) => {
    const schema = `<Schema Namespace="S" xmlns="${csdl2}">${entityTypeT() + container()}</Schema>`
    expect(readEdmx(edmxOf(schema, attributes)).dataServiceVersion).toBe(version)
  })

  it('MUST ignore prefixes, a byte order mark, comments and layout', () => {
    const plain = edmxAround(entityTypeT() + container())
    const odd = plain
      .replaceAll('edmx:', 'e:')
      .replaceAll(':edmx', ':e')
      .replaceAll('m:', 'meta:')
      .replaceAll(':m=', ':meta=')
      .replaceAll('<Property ', '<!-- a property -->\r\n\t<Property ')
    expect(writeEdmx(readEdmx(`\ufeff${odd}`))).toBe(writeEdmx(readEdmx(plain)))
  })

  it('MUST resolve unqualified names, and names qualified by an alias of the schema or of a Using', () => {
    const model = readEdmx(
      edmxOf(
        `<Schema Namespace="S" Alias="Self" xmlns="${csdl2}">
           ${entityTypeT('<Property Name="A" Type="Size"/><Property Name="B" Type="Self.Size"/><Property Name="C" Type="S.Size"/>')}
           <ComplexType Name="Size"/>
         </Schema>
         <Schema Namespace="A.B" xmlns="${csdl2}"><Using Namespace="S" Alias="U"/>
           <EntityContainer Name="C"><EntitySet Name="Ts" EntityType="U.T"/></EntityContainer>
         </Schema>`,
      ),
    )
    const type = model.entityTypes.get('S.T')
    const size = model.complexTypes.get('S.Size')
    expect(['A', 'B', 'C'].map((name) => type?.property(name)?.type === size)).toEqual([true, true, true])
    expect(model.defaultContainer.entitySet('Ts')?.entityType).toBe(type)
  })

  it('MUST skip members that are collections, and report them', () => {
    const notices: string[] = []
    const model = readEdmx(
      edmxAround(
        entityTypeT('<Property Name="Tags" Type="Collection(Edm.String)" Nullable="false"/>') + container(),
      ),
      { onNotice: (notice) => notices.push(notice) },
    )
    expect(model.entityTypes.get('S.T')?.property('Tags')).toBeUndefined()
    expect(notices).toEqual(['S.T.Tags was skipped: OData V2 has no collection properties.'])
  })

  it('MUST parse white space and both spellings of Boolean values', () => {
    const model = readEdmx(
      edmxAround(
        entityTypeT(
          '<Property Name="A" Type="Edm.String" Nullable=" false " FixedLength="1" Unicode="0" MaxLength=" 5 "/>',
          'm:HasStream="1"',
        ) + container(),
      ),
    )
    expect(model.entityTypes.get('S.T')).toMatchObject({ hasStream: true })
    expect(model.entityTypes.get('S.T')?.property('A')).toMatchObject({
      nullable: false,
      fixedLength: true,
      unicode: false,
      maxLength: 5,
    })
  })

  it.each(['Max', 'max', 'MAX'])('MUST parse MaxLength="%s"', (value) => {
    const model = readEdmx(
      edmxAround(entityTypeT(`<Property Name="A" Type="Edm.String" MaxLength="${value}"/>`) + container()),
    )
    expect(model.entityTypes.get('S.T')?.property('A')?.maxLength).toBe('Max')
    expect(writeEdmx(model)).toContain('MaxLength="Max"')
  })

  it('MUST use a single container as the default one if none is marked', () => {
    const document = edmxAround(
      `${entityTypeT()}<EntityContainer Name="C"><EntitySet Name="Ts" EntityType="S.T"/></EntityContainer>`,
    )
    const model = readEdmx(document)
    expect(model.defaultContainer).toMatchObject({ name: 'C', isDefault: true })
    expect(model.defaultContainer.entitySet('Ts')?.path).toBe('Ts')
  })

  it('MUST derive missing roles of ends from their types', () => {
    const model = readEdmx(
      edmxAround(
        `${entityTypeT()}<EntityType Name="U"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32" Nullable="false"/></EntityType>
         <Association Name="A"><End Type="S.T" Multiplicity="1"/><End Type="S.U" Multiplicity="*"/></Association>
         ${container('<EntitySet Name="Us" EntityType="S.U"/><AssociationSet Name="As" Association="S.A"><End EntitySet="Ts"/><End EntitySet="Us"/></AssociationSet>')}`,
      ),
    )
    expect(model.associations.get('S.A')?.ends.map(({ role }) => role)).toEqual(['T', 'U'])
    const [set] = model.defaultContainer.associationSets
    expect(set?.ends.map(({ role, entitySet }) => [role, entitySet.name])).toEqual([
      ['T', 'Ts'],
      ['U', 'Us'],
    ])
  })

  it('MUST expose annotations', () => {
    const { entityTypes, defaultContainer } = readEdmx(everyConstruct)
    const party = entityTypes.get('NW.Party')
    const name = party?.property('Name')
    const parties = defaultContainer.entitySet('Parties')
    expect(party && annotationValue(party, sapNamespace, 'label')).toBe('Party')
    expect(name && annotationValue(name, sapNamespace, 'filterable')).toBe('true')
    expect(name && annotationValue(name, sapNamespace, 'sortable')).toBeUndefined()
    expect(parties && annotationValue(parties, sapNamespace, 'creatable')).toBe('false')
    expect(party?.documentation).toEqual({ summary: 'Who' })
  })

  it('MUST parse feed customizations with and without suffix', () => {
    const { entityTypes } = readEdmx(everyConstruct)
    expect(entityTypes.get('NW.Person')?.feedMappings).toEqual([
      { sourcePath: ['Name'], targetPath: 'SyndicationTitle', contentKind: 'html', keepInContent: false },
      {
        sourcePath: ['Home', 'Street'],
        targetPath: 'SyndicationAuthorName',
        contentKind: 'text',
        keepInContent: true,
      },
      {
        sourcePath: ['Home', 'Position', 'Lat'],
        targetPath: 'geo/@lat',
        contentKind: 'text',
        keepInContent: true,
        namespacePrefix: 'g',
        namespaceUri: 'urn:example:geo',
      },
      { sourcePath: ['Born'], targetPath: 'SyndicationSummary', contentKind: 'text', keepInContent: true },
      {
        sourcePath: ['Home', 'City'],
        targetPath: 'size/w',
        contentKind: 'text',
        keepInContent: false,
        namespacePrefix: 's',
        namespaceUri: 'urn:example:size',
      },
    ])
  })

  it('MUST include a customized property in the content by default', () => {
    const model = readEdmx(
      edmxAround(
        entityTypeT('<Property Name="A" Type="Edm.String" m:FC_TargetPath="SyndicationTitle"/>') +
          container(),
      ),
    )
    expect(model.entityTypes.get('S.T')?.feedMappings[0]).toMatchObject({
      keepInContent: true,
      contentKind: 'text',
    })
  })

  it('MUST order more than ten feed customizations by their number', () => {
    const targets = Array.from({ length: 12 }, (_, index) => {
      const suffix = index === 0 ? '' : `_${index}`
      return `m:FC_TargetPath${suffix}="e${index}" m:FC_SourcePath${suffix}="P${index}" m:FC_NsUri${suffix}="urn:x"`
    })
    const properties = Array.from(
      { length: 12 },
      (_, index) => `<Property Name="P${index}" Type="Edm.String"/>`,
    )
    const model = readEdmx(edmxAround(entityTypeT(properties.join(''), targets.join(' ')) + container()))
    const paths = model.entityTypes.get('S.T')?.feedMappings.map(({ targetPath }) => targetPath)
    expect(paths).toEqual(Array.from({ length: 12 }, (_, index) => `e${index}`))
    expect(modelAsData(readEdmx(writeEdmx(model)))).toEqual(modelAsData(model))
  })
})

describe('Documents of other servers', () => {
  it('MUST have References of V4 with the prefix edmx in front of the services, where SAP parsers search for them', () => {
    const reference =
      '<v4:Reference xmlns:v4="http://docs.oasis-open.org/odata/ns/edmx" Uri="v.xml"><v4:Include Namespace="V"/></v4:Reference>'
    const document = edmxAround(entityTypeT('') + container()).replace(/(<edmx:Edmx[^>]*>)/, `$1${reference}`)
    const written = writeEdmx(readEdmx(document))
    expect(written).toMatch(
      /<edmx:Edmx [^>]*><edmx:Reference xmlns:edmx="[^"]*\/odata\/ns\/edmx" Uri="v.xml"><edmx:Include [^>]*Namespace="V"\/><\/edmx:Reference><edmx:DataServices /,
    )
    expect(writeEdmx(readEdmx(written))).toBe(written)
  })

  it.each(['GET', 'Get', 'POST', 'Post', 'post'])('MUST be read with m:HttpMethod="%s"', (method) => {
    const { defaultContainer } = readEdmx(
      edmxAround(entityTypeT('') + container(`<FunctionImport Name="F" m:HttpMethod="${method}"/>`)),
    )
    expect(defaultContainer.functionImport('F')?.httpMethod).toBe(method.toUpperCase())
  })

  it.each(['PUT', 'MERGE', 'Delete', 'PATCH'])(
    'MUST be read without functions of the method %s, with a notice',
    (method) => {
      const notices: string[] = []
      const { defaultContainer } = readEdmx(
        edmxAround(entityTypeT('') + container(`<FunctionImport Name="F" m:HttpMethod="${method}"/>`)),
        { onNotice: (notice) => notices.push(notice) },
      )
      expect(defaultContainer.functionImport('F')).toBeUndefined()
      expect(notices).toEqual([
        `S.C.F was skipped: function imports of OData V2 have GET or POST, not ${method.toUpperCase()}.`,
      ])
    },
  )

  it('MUST be read where a schema uses the alias of another one without Using, unless it is a namespace', () => {
    const key = '<Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Int32" Nullable="false"/>'
    const schemaOf = (attributes: string, content: string): string =>
      `<Schema ${attributes} xmlns="http://schemas.microsoft.com/ado/2008/09/edm">${content}</Schema>`
    const model = readEdmx(
      '<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"><edmx:DataServices>' +
        schemaOf('Namespace="first" Alias="one"', `<EntityType Name="a">${key}</EntityType>`) +
        schemaOf('Namespace="third" Alias="second"', `<EntityType Name="b">${key}</EntityType>`) +
        schemaOf(
          'Namespace="second"',
          `<EntityType Name="b">${key}</EntityType><EntityContainer Name="C"><EntitySet Name="As" EntityType="one.a"/><EntitySet Name="Bs" EntityType="second.b"/></EntityContainer>`,
        ) +
        '</edmx:DataServices></edmx:Edmx>',
    )
    expect(model.defaultContainer.entitySets.map(({ entityType }) => entityType.qualifiedName)).toEqual([
      'first.a',
      'second.b',
    ])
    expect(writeEdmx(model)).not.toContain('<Using')
  })
})
