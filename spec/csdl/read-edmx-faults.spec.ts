import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { ModelError } from '../../lib/edm/build/model-error.js'
import { XmlError } from '../../lib/xml/parse-xml.js'
import { container, edmxAround, edmxOf, entityTypeT } from '../support/edmx-document.js'
import { inLinearTime } from '../support/linear-time.js'
import { modelErrorsOf } from '../support/model-errors-of.js'

const sound = edmxAround(entityTypeT() + container())
const errorsOf = (document: string): readonly string[] => modelErrorsOf(() => readEdmx(document))

describe('readEdmx of an invalid document', () => {
  it('MUST explain how to read a file when its argument is a file name', () => {
    expect(() => readEdmx('m.edmx')).toThrow(
      new TypeError(
        "readEdmx requires the content of the document, not its path: readFileSync('m.edmx', 'utf8').",
      ),
    )
  })

  it.each([
    ['no XML', 'Not found', 'The document is not well-formed XML'],
    ['nothing', '', 'must contain a root element'],
    ['two roots', `${sound}<more/>`, 'documents may contain only one root'],
    ['an unbound prefix', sound.replace('<EntityType ', '<x:EntityType '), 'unbound namespace prefix: "x"'],
    ['an unbound attribute prefix', sound.replace('<Key>', '<Key x:a="1">'), 'unbound namespace prefix: "x"'],
    ['an attribute twice', sound.replace('Name="T"', 'Name="T" Name="U"'), 'duplicate attribute: Name'],
    [
      'a document type',
      sound.replace('<edmx:Edmx', '<!DOCTYPE x><edmx:Edmx'),
      'Document type declarations are not accepted',
    ],
    [
      'an entity',
      sound
        .replace('<edmx:Edmx', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><edmx:Edmx')
        .replace('Name="T"', 'Name="&e;"'),
      'Document type declarations are not accepted',
    ],
    ['an entity of HTML', sound.replace('Name="T"', 'Name="&nbsp;T"'), 'undefined entity'],
    [
      'elements nested too deep',
      sound.replace('</Schema>', `${'<a>'.repeat(101)}${'</a>'.repeat(101)}</Schema>`),
      'Elements are nested deeper than 100.',
    ],
  ])('MUST reject %s with an XmlError', (_, document, message) => {
    expect(() => readEdmx(document)).toThrow(XmlError)
    expect(() => readEdmx(document)).toThrow(message)
  })

  it('MUST report that a document is of version 4', () => {
    const v4 =
      '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm"/></edmx:DataServices></edmx:Edmx>'
    expect(errorsOf(v4)).toEqual([
      'document: this is a metadata document of OData V4, but one of version 1 or 2 is required.',
    ])
  })

  it.each([
    [
      'a schema without its envelope',
      '<Schema Namespace="S" xmlns="http://schemas.microsoft.com/ado/2008/09/edm"/>',
      'document: the root element is <Schema>, but a metadata document starts with <edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">.',
    ],
    [
      'a page of HTML',
      '<html><body>Sign in</body></html>',
      'document: the root element is <html>, but a metadata document starts with <edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">.',
    ],
    [
      'an envelope with nothing in it',
      '<edmx:Edmx xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx"/>',
      'edmx:Edmx: the element <edmx:DataServices> is missing.',
    ],
    ['no schema', edmxOf(''), 'edmx:DataServices: the element <Schema> is missing.'],
    [
      'a schema of an unknown version',
      edmxOf('<Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm"/>'),
      "edmx:DataServices: the namespace 'http://docs.oasis-open.org/odata/ns/edm' of a <Schema> is not one of CSDL 1.0 to 3.0, for example 'http://schemas.microsoft.com/ado/2008/09/edm'.",
    ],
  ])('MUST reject %s', (_, document, error) => {
    expect(errorsOf(document)).toEqual([error])
  })

  it.each([[Buffer.from(sound)], [undefined], [5], [{}]])('MUST require a string, not %p', (value) => {
    expect(() => readEdmx(value as unknown as string)).toThrow(TypeError)
    expect(() => readEdmx(value as unknown as string)).toThrow("readFileSync('model.edmx', 'utf8')")
  })
})

describe('readEdmx of an invalid model', () => {
  it('MUST report all errors together, those of attributes and those of names', () => {
    const document = edmxAround(`
      ${entityTypeT('<Property Name="A" Type="Edm.Strng" Nullable="yes" MaxLength="many" ConcurrencyMode="fixed"/><Property Name="B"/>')}
      <EntityType Name="U" BaseType="S.Tt"/>
      <Association Name="X"><End Role="A" Type="S.T" Multiplicity="0..*"><OnDelete Acton="None"/></End><End Role="B" Type="S.T"/></Association>
      ${container('<EntitySet Name="Us" EntityType="S.V"/><FunctionImport Name="F" ReturnType="S.T" EntitySet="T" m:HttpMethod="PULL"/>')}`)
    expect(() => readEdmx(document)).toThrow(ModelError)
    expect(errorsOf(document)).toEqual([
      "S.T.A: Nullable must be true or false, not 'yes'.",
      "S.T.A: MaxLength must be a non-negative integer, not 'many'.",
      "S.T.A: ConcurrencyMode must be None or Fixed, not 'fixed'. Did you mean 'Fixed'?",
      'S.T.B: <Property> needs the attribute Type.',
      'S.X: <OnDelete> needs the attribute Action.',
      "S.X: Multiplicity must be 0..1, 1 or *, not '0..*'. Did you mean '0..1'?",
      'S.X: <End> needs the attribute Multiplicity.',
      "S.C.F: HttpMethod must be GET or POST, not 'PULL'.",
      "S.T.A: there is no simple or complex type 'Edm.Strng'. Did you mean 'Edm.String'?",
      "S.U: there is no entity type 'S.Tt' to derive from. Did you mean 'S.T'?",
      "S.C.Us: there is no entity type 'S.V'. Did you mean 'S.T'?",
      "S.C.F: there is no entity set 'T'.",
    ])
  })

  it.each([
    [
      'a property',
      entityTypeT('<Property Name="ID" Type="Edm.Int32"/>'),
      "S.T: there are two <Property> with the Name 'ID'.",
    ],
    ['a type', entityTypeT() + entityTypeT(), "S: there are two <EntityType> with the Name 'T'."],
    [
      'a complex type that is not the same again',
      `${entityTypeT()}<ComplexType Name="X"><Property Name="A" Type="Edm.Int32"/></ComplexType><ComplexType Name="X"><Property Name="A" Type="Edm.Int16"/></ComplexType>`,
      "S: there are two <ComplexType> with the Name 'X' and different content.",
    ],
    [
      'a name in two kinds of type',
      `${entityTypeT()}<ComplexType Name="T"/>`,
      'S.T: the schema has two types with this name.',
    ],
    [
      'a role',
      `${entityTypeT()}<Association Name="A"><End Type="S.T" Multiplicity="1"/><End Type="S.T" Multiplicity="1"/></Association>`,
      "S.A: both ends have the role 'T'.",
    ],
    [
      'a set in an association set without roles',
      `${entityTypeT()}<Association Name="A"><End Role="X" Type="S.T" Multiplicity="1"/><End Role="Y" Type="S.T" Multiplicity="1"/></Association>
       <EntityContainer Name="D"><EntitySet Name="Ts" EntityType="S.T"/><AssociationSet Name="As" Association="S.A"><End EntitySet="Ts"/><End EntitySet="Ts"/></AssociationSet></EntityContainer>`,
      "S.D.As: both ends have the role 'Ts'.",
    ],
    [
      'a role in an association set where one end leaves it out',
      `${entityTypeT()}<EntityType Name="U" BaseType="S.T"/><Association Name="A"><End Role="X" Type="S.T" Multiplicity="1"/><End Role="Y" Type="S.U" Multiplicity="1"/></Association>
       <EntityContainer Name="D"><EntitySet Name="Ts" EntityType="S.T"/><AssociationSet Name="As" Association="S.A"><End Role="X" EntitySet="Ts"/><End EntitySet="Ts"/></AssociationSet></EntityContainer>`,
      "S.D.As: both ends have the role 'X'.",
    ],
    [
      'a key',
      entityTypeT('<Key><PropertyRef Name="ID"/></Key>'),
      'S.T: there are two <Key>; only one is allowed.',
    ],
    [
      'a key property',
      entityTypeT().replace('</Key>', '<PropertyRef Name="ID"/></Key>'),
      "S.T: the key names the property 'ID' twice.",
    ],
    [
      'a documentation',
      entityTypeT('<Documentation/><Documentation/>'),
      'S.T: there are two <Documentation>; only one is allowed.',
    ],
  ])('MUST reject a duplicate %s', (_, types, error) => {
    expect(errorsOf(edmxAround(types + container()))).toContain(error)
  })

  it.each([
    [
      'EntityType',
      '<EntityType><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/></EntityType>',
      'S: <EntityType> needs the attribute Name.',
    ],
    [
      'PropertyRef',
      '<EntityType Name="U"><Key><PropertyRef/></Key></EntityType>',
      'S.U: <PropertyRef> needs the attribute Name.',
    ],
    [
      'NavigationProperty',
      '<EntityType Name="U" BaseType="S.T"><NavigationProperty Name="N"/></EntityType>',
      'S.U.N: <NavigationProperty> needs the attribute Relationship.',
    ],
    [
      'ReferentialConstraint',
      '<Association Name="A"><ReferentialConstraint/></Association>',
      'S.A: the element <Principal> of the referential constraint is missing.',
    ],
    ['Using', '<Using Namespace="X"/>', 'S: <Using> needs the attribute Alias.'],
  ])('MUST require all parts of a %s', (_, content, error) => {
    expect(errorsOf(edmxAround(entityTypeT() + container() + content))).toContain(error)
  })

  it.each([
    ['m:FC_SourcePath="A"', 'S.T.A: a feed mapping needs FC_TargetPath.'],
    ['m:FC_TargetPath_1="x" m:FC_KeepInContent_2="true"', 'S.T.A: a feed mapping needs FC_TargetPath_2.'],
    [
      'm:FC_TargetPath="SyndicationTitle" m:FC_KeepInContent="yes"',
      "S.T.A: FC_KeepInContent must be true or false, not 'yes'.",
    ],
    [
      'm:FC_TargetPath="SyndicationTitle" m:FC_ContentKind="HTML"',
      "S.T.A: FC_ContentKind must be text, html or xhtml, not 'HTML'. Did you mean 'html'?",
    ],
  ])('MUST reject the feed customization %s', (attributes, error) => {
    expect(
      errorsOf(edmxAround(entityTypeT(`<Property Name="A" Type="Edm.String" ${attributes}/>`) + container())),
    ).toContain(error)
  })

  it('MUST require FC_SourcePath for feed customizations of a type', () => {
    expect(
      errorsOf(edmxAround(entityTypeT('', 'm:FC_TargetPath="SyndicationTitle"') + container())),
    ).toContain('S.T: a feed mapping of a type needs FC_SourcePath.')
  })

  it('MUST reject an unknown DataServiceVersion', () => {
    expect(errorsOf(sound.replace('m:DataServiceVersion="2.0"', 'm:DataServiceVersion="4.0"'))).toEqual([
      "edmx:Edmx: DataServiceVersion must be 1.0, 2.0 or 3.0, not '4.0'. Did you mean '1.0'?",
    ])
  })

  it('MUST report simple types of later versions by their names', () => {
    const properties = ['Edm.GeographyPoint', 'Edm.Stream'].map(
      (type, index) => `<Property Name="P${index}" Type="${type}"/>`,
    )
    expect(errorsOf(edmxAround(entityTypeT(properties.join('')) + container()))).toEqual([
      "S.T.P0: there is no simple or complex type 'Edm.GeographyPoint'.",
      "S.T.P1: there is no simple or complex type 'Edm.Stream'.",
    ])
  })

  it('MUST report tens of thousands of errors in time proportional to their number', () => {
    const properties = Array.from(
      { length: 30_000 },
      (_, index) => `<Property Name="P${index}" Type="S.Typ${index}"/>`,
    )
    const types = Array.from({ length: 3 }, (_, index) => `<ComplexType Name="Type${index}"/>`)
    const document = edmxAround(entityTypeT(properties.join('')) + types.join('') + container())
    expect(inLinearTime(() => errorsOf(document))).toHaveLength(30_000)
  })
})
