import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { fileModel } from '../../../lib/providers/file-system/file-model.js'

describe('The model of the file service', () => {
  const edmx = writeEdmx(fileModel)

  it('MUST declare version 2.0', () => {
    expect(edmx).toContain('m:DataServiceVersion="2.0"')
  })

  it.each([
    '<Schema Namespace="FSSchema"',
    '<EntityType Name="File" m:HasStream="true">',
    '<Key><PropertyRef Name="path"/></Key>',
    '<Property Name="path" Type="Edm.String" Nullable="false" MaxLength="1024" FixedLength="false" Unicode="false"/>',
    '<Property Name="isDirectory" Type="Edm.Boolean" Nullable="false"/>',
    '<Property Name="size" Type="Edm.Int32"/>',
    '<Property Name="lastAccess" Type="Edm.DateTime" Nullable="false" Precision="3"/>',
    '<NavigationProperty Name="Files" Relationship="FSSchema.Directory" FromRole="Parent" ToRole="Child"/>',
    '<NavigationProperty Name="Parent" Relationship="FSSchema.Directory" FromRole="Child" ToRole="Parent"/>',
    '<End Role="Parent" Type="FSSchema.File" Multiplicity="0..1"/>',
    '<End Role="Child" Type="FSSchema.File" Multiplicity="*"/>',
    '<EntityContainer Name="FS" m:IsDefaultEntityContainer="true">',
    '<EntitySet Name="Files" EntityType="FSSchema.File"/>',
    '<AssociationSet Name="Directories" Association="FSSchema.Directory">',
    '<End Role="Parent" EntitySet="Files"/><End Role="Child" EntitySet="Files"/>',
  ])('MUST have %s', (element) => {
    expect(edmx).toContain(element)
  })

  it('MUST map the name to title and the time of modification to updated, and keep both in the content', () => {
    const mappings = fileModel.entityTypes.get('FSSchema.File')?.feedMappings
    expect(mappings).toMatchObject([
      { sourcePath: ['name'], targetPath: 'SyndicationTitle', keepInContent: true },
      { sourcePath: ['lastModified'], targetPath: 'SyndicationUpdated', keepInContent: true },
    ])
  })

  it('MUST be the same after it is serialized and parsed', () => {
    expect(writeEdmx(readEdmx(edmx))).toBe(edmx)
  })
})
