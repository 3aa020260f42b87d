import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readV4Csdl, readV4Model } from '../../../lib/csdl/v4/read-v4-csdl.js'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'

const folder = join(__dirname, 'documents')
const everything = readFileSync(join(folder, 'everything.xml'), 'utf8')

/** Surrounds the elements of a schema, which has a container with the set `Items`. */
const documentOf = (elements: string, container = '<EntitySet Name="Items" EntityType="S.Item"/>'): string =>
  `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="S" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityContainer Name="C">${container}</EntityContainer>
${elements}
</Schema></edmx:DataServices></edmx:Edmx>`

const item =
  '<EntityType Name="Item"><Key><PropertyRef Name="ID"/></Key><Property Name="ID" Type="Edm.Int32"/></EntityType>'

describe('The V2 model of a V4 metadata document', () => {
  it('MUST be byte for byte that of the file', () => {
    const notices: string[] = []
    const xml = writeEdmx(readV4Csdl(everything, { onNotice: (notice) => notices.push(notice) }))
    const text = `${xml.replaceAll('><', '>\n<')}\n\n${notices.join('\n')}\n`
    const file = join(folder, 'everything.v2.txt')
    if (process.env.UPDATE_WIRE === '1') writeFileSync(file, text)
    expect(text).toBe(readFileSync(file, 'utf8'))
  })

  it('MUST be a document that readEdmx reads as the same model', () => {
    const xml = writeEdmx(readV4Csdl(everything))
    expect(writeEdmx(readEdmx(xml))).toBe(xml)
  })

  it('MUST have the chosen sets only, with their given names', () => {
    const { model, mapping } = readV4Model(everything, {
      sets: { exclude: ['Favorite', 'Products_approve'], rename: { Categories: 'Groups' } },
    })
    const names = model.defaultContainer.entitySets.map(({ name }) => name)
    expect(names).toEqual(['Products', 'Groups', 'Products_Parts'])
    expect(mapping.sets.get('Groups')?.name).toBe('Categories')
    expect(
      model.defaultContainer.entitySet('Products')?.entityType.navigationProperty('Category'),
    ).toBeDefined()
  })

  it('MUST be the same for a document in JSON', () => {
    const json = {
      $Version: '4.01',
      $EntityContainer: 'S.C',
      S: {
        C: { $Kind: 'EntityContainer', Items: { $Collection: true, $Type: 'S.Item' } },
        Item: {
          $Kind: 'EntityType',
          $Key: ['ID'],
          ID: { $Type: 'Edm.Int32' },
          Day: { $Type: 'Edm.Date', $Nullable: true, '@com.sap.vocabularies.Common.v1.Label': 'Day' },
        },
      },
    }
    const xml = documentOf(
      item
        .replace('Edm.Int32"', 'Edm.Int32" Nullable="false"')
        .replace(
          '</EntityType>',
          '<Property Name="Day" Type="Edm.Date"><Annotation Term="com.sap.vocabularies.Common.v1.Label" String="Day"/></Property></EntityType>',
        ),
    )
    expect(writeEdmx(readV4Csdl(JSON.stringify(json)))).toBe(writeEdmx(readV4Csdl(xml)))
  })
})

describe('An invalid V4 metadata document', () => {
  it.each<[what: string, text: string, message: RegExp]>([
    ['malformed XML', '<a><b></a>', /1:10/],
    ['another root', '<a/>', /starts with <edmx:Edmx/],
    ['malformed JSON', '{\n"$Version": "4.0",\n]', /document \(line 3\)/],
    ['JSON of something else', '{"a":1}', /\$Version/],
    [
      'base types in a cycle',
      documentOf(`${item}\n<EntityType Name="A" BaseType="S.B"/>\n<EntityType Name="B" BaseType="S.A"/>`),
      /S\.A \(line 5\): the base types form a cycle/,
    ],
    [
      'a missing base type',
      documentOf(`${item}\n<EntityType Name="A" BaseType="S.Itme"/>`),
      /S\.A \(line 5\).*Did you mean 'S\.Item'/,
    ],
    [
      'a missing type',
      documentOf(`${item}<ComplexType Name="A">\n<Property Name="P" Type="S.X"/></ComplexType>`),
      /S\.A\/P \(line 5\): there is no type 'S\.X'/,
    ],
    [
      'a definition of itself',
      documentOf(
        `${item}<TypeDefinition Name="T" UnderlyingType="S.T"/><ComplexType Name="A"><Property Name="P" Type="S.T"/></ComplexType>`,
      ),
      /refers to itself/,
    ],
    [
      'no container',
      documentOf(item).replace(/<EntityContainer.*<\/EntityContainer>/, ''),
      /EntityContainer/,
    ],
    [
      'a facet that is not a number',
      documentOf(item.replace('Edm.Int32"', 'Edm.Int32" MaxLength="x"')),
      /ID \(line 4\): MaxLength/,
    ],
    [
      'an import of nothing',
      documentOf(item, '<FunctionImport Name="f" Function="S.f"/>'),
      /no unbound operation 'S\.f'/,
    ],
  ])('MUST be refused with its line or name: %s', (_what, text, message) => {
    expect(() => readV4Csdl(text)).toThrow(message)
  })
})
