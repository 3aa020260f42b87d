import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { commandTable, run } from '../../../lib/tools/command-line/run.js'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import { commandIo } from '../../support/command-io.js'
import { evaluateModel } from '../../support/evaluate-model.js'
import { everyConstruct } from '../../support/every-construct.js'
import { inLinearTime } from '../../support/linear-time.js'

const directory = mkdtempSync(join(tmpdir(), 'commands-'))
const at = (name: string): string => join(directory, name)
const names = Object.keys(commandTable)

beforeAll(() => {
  writeFileSync(at('northwind.edmx'), writeEdmx(northwindModel))
  writeFileSync(at('every.edmx'), everyConstruct)
})

afterAll(() => {
  rmSync(directory, { recursive: true })
})

interface Outcome {
  readonly code: number
  readonly printed: string
  readonly errors: string
}

async function ran(words: readonly string[], input = ''): Promise<Outcome> {
  const io = commandIo(input)
  const code = await run(words, io)
  return { code, printed: io.printed(), errors: io.errors() }
}

describe('The commands', () => {
  it('MUST all be listed in the help of the program', async () => {
    const { printed } = await ran(['help'])
    for (const name of names) expect(printed).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  })

  it.each(names)(
    'MUST print help for every help option, in lines of at most 120 characters: %s',
    async (name) => {
      const { code, printed } = await ran([name, '--help'])
      expect(code).toBe(0)
      expect(printed).toMatch(new RegExp(`^Usage: express-odata-v2 ${name} `))
      expect(await ran([name, '-h'])).toMatchObject({ code: 0, printed })
      expect(await ran(['help', name])).toMatchObject({ code: 0, printed })
      expect(printed.split('\n').filter((line) => line.length > 120)).toEqual([])
    },
  )

  it.each(names)('MUST suggest the correct name of a misspelt option: %s', async (name) => {
    const { code, errors, printed } = await ran([name, '--hlep'])
    expect([code, printed]).toEqual([2, ''])
    expect(errors).toMatch(
      /^There is no option '--hlep'\. Did you mean '--help'\?\n\nUsage: express-odata-v2 /,
    )
  })

  it.each(names)('MUST report a missing source: %s', async (name) => {
    const { code, errors } = await ran([name])
    expect(code).toBe(2)
    expect(errors).toMatch(/\?.*\n\nUsage: /)
  })

  it('MUST be suggested for misspelt words', async () => {
    expect((await ran(['tpyes', 'x.edmx'])).errors).toContain("Did you mean 'types'?")
    expect(await ran(['help', 'dosc'])).toEqual({
      code: 2,
      printed: '',
      errors: "There is no command 'dosc'. Did you mean 'docs'?",
    })
  })

  it('MUST not shadow a path with their name', async () => {
    expect((await ran(['./import'])).errors).toBe("There is no file or directory './import'.")
  })

  it('MUST write to --output and report the file on standard error', async () => {
    const { code, printed, errors } = await ran(['types', at('northwind.edmx'), '-o', at('new/types.ts')])
    expect([code, printed, errors]).toEqual([0, '', `Wrote ${at('new/types.ts')}`])
    expect(readFileSync(at('new/types.ts'), 'utf8')).toContain('export interface Product {')
    const wrong = await ran(['types', at('northwind.edmx'), '-o', at('northwind.edmx/types.ts')])
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringContaining('cannot be written')])
  })
})

describe('import', () => {
  it.each(['northwind.edmx', 'every.edmx'])(
    'MUST write a module that serializes to the same document: %s',
    async (name) => {
      const { code, printed } = await ran(['import', at(name)])
      expect(code).toBe(0)
      expect(writeEdmx(evaluateModel(printed))).toBe(writeEdmx(readEdmx(readFileSync(at(name), 'utf8'))))
    },
  )

  it('MUST write the metadata document with --format edmx', async () => {
    const { code, printed } = await ran(['import', at('every.edmx'), '--format', 'edmx'])
    expect(code).toBe(0)
    expect(printed).toBe(writeEdmx(readEdmx(everyConstruct)))
  })

  it('MUST count comments in linear time', async () => {
    const comments = `<!-- ${'<![CDATA['.repeat(500_000)} --><!-- ]]> -->`
    const document = everyConstruct.replace('<EntityType Name="Party"', `${comments}$&`)
    const { errors } = await inLinearTime(() => ran(['import', '-'], document))
    expect(errors).toContain('Skipped: 2 comments')
  })

  it('MUST list constructs without effect and skipped comments, in the module and on standard error', async () => {
    const document = everyConstruct.replace(
      '<EntityType Name="Party"',
      '<!-- who --><EnumType Name="Color"/><EntityType Name="Party"',
    )
    const { printed, errors } = await ran(['import', '-'], document)
    const losses = [
      'Preserved as annotations without effect, because OData V2 does not define them: <EnumType>.',
      'Skipped: 1 comment of the document.',
    ]
    expect(errors).toBe(losses.map((one) => `Note: ${one}`).join('\n'))
    for (const loss of losses) expect(printed).toContain(` * ${loss}\n`)
    expect(writeEdmx(evaluateModel(printed))).toBe(writeEdmx(readEdmx(document)))
  })

  it('MUST overwrite an unedited module, and other files only with --force', async () => {
    const words = ['import', at('northwind.edmx'), '--output', at('kept.ts')]
    const made = async (...more: string[]): Promise<number> => (await ran([...words, ...more])).code
    expect([await made(), await made()]).toEqual([0, 0])
    const text = readFileSync(at('kept.ts'), 'utf8')
    expect(writeEdmx(evaluateModel(text))).toBe(writeEdmx(northwindModel))
    writeFileSync(at('kept.ts'), text.replaceAll('\n', '\r\n'))
    expect(await made()).toBe(0)
    for (const edited of [text.replace(/\/\/ Imported.*\n/, '// mine\n'), 'export const model = 1\n']) {
      writeFileSync(at('kept.ts'), edited)
      const { code, errors } = await ran(words)
      expect([code, errors]).toEqual([2, expect.stringContaining('Use --force to overwrite it')])
      expect(readFileSync(at('kept.ts'), 'utf8')).toBe(edited)
    }
    expect(await made('--force')).toBe(0)
    expect(readFileSync(at('kept.ts'), 'utf8')).toBe(text)
  })

  it('MUST report all errors of a document', async () => {
    const document = everyConstruct.replace('BaseType="NW.Party"', 'BaseType="NW.Pary"')
    const { code, errors } = await ran(['import', '-'], document)
    expect(code).toBe(2)
    expect(errors).toMatch(/^standard input: The model has .*Did you mean 'NW\.Party'\?/s)
  })
})

/** Returns the errors of the compiler for a file with types and code that uses them. */
function errorsIn(file: string): string[] {
  const options = {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
  }
  const program = ts.createProgram([file], options)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('types', () => {
  it('MUST describe the JSON of reads and writes', async () => {
    const { code, printed } = await ran(['types', at('every.edmx')])
    expect(code).toBe(0)
    expect(printed).not.toMatch(/^import/m)
    writeFileSync(
      at('json.ts'),
      `${printed}
const person: Person = { ID: 1, Name: 'A', Home: { Street: null, City: 'B', Position: { Lat: 1, Lon: '2' } },
  Version: '5', Parent_ID: null, Born: '/Date(0)/', Parent: { __deferred: { uri: 'x' } }, Lines: { results: [] } }
const noParent: Person['Parent'] = null
const key: EntitySets['Lines']['key'] = { Order: 1, No: 2 }
const inserted: PersonInsert = { Version: '1', Home: {}, Children: [{ __metadata: { uri: 'x' } }, { Version: '2', Home: {} }] }
const call: FunctionImports['Search']['parameters'] = { text: 'a' }
const found: FunctionImports['Search']['result'] = [person]
// @ts-expect-error without what it must have
const few: PersonInsert = { Version: '1' }
// @ts-expect-error a number is no Edm.Int64 of JSON
const wrong: Person['Version'] = 5
export { noParent, key, inserted, call, found, few, wrong }`,
    )
    expect(errorsIn(at('json.ts'))).toEqual([])
  })

  it('MUST describe the values that providers are given', async () => {
    const { printed } = await ran(['types', at('every.edmx'), '--values', 'javascript'])
    writeFileSync(
      at('javascript.ts'),
      `${printed}
const line: Line = { No: 1, Order: 2, Person: null, Price: '1.50', Stamp: new Uint8Array() }
const party: PartyInsert = { $type: 'NW.Person', Version: 5n, Home: {} }
export { line, party }`,
    )
    expect(errorsIn(at('javascript.ts'))).toEqual([])
  })

  it('MUST include labels and facets', async () => {
    const document = everyConstruct.replace('Name="Born" ', 'Name="Born" sap:label="Date */ of birth" ')
    const { printed } = await ran(['types', '-'], document)
    expect(printed).toContain(
      '  /** Date *\\/ of birth: Edm.DateTime, precision 3: /Date(1338282808000)/. */\n  Born:',
    )
    expect(printed).toContain('/**\n * Party\n * Who\n */\nexport interface Party {')
  })

  it('MUST rename types whose name is used twice or reserved', async () => {
    const document = everyConstruct
      .replace(/NW\.Photo/g, 'NW.Date')
      .replace('Name="Photo"', 'Name="Date"')
      .replace(/NW\.Position/g, 'NW.LineKey')
      .replace('"Position"><', '"LineKey"><')
      .replace('ComplexType Name="Position"', 'ComplexType Name="LineKey"')
    const { printed } = await ran(['types', '-'], document)
    writeFileSync(at('names.ts'), printed)
    expect(errorsIn(at('names.ts'))).toEqual([])
    expect(printed).toContain('export interface NW_Date {')
  })

  it('MUST reject other values of --values', async () => {
    const { code, errors } = await ran(['types', at('every.edmx'), '--values', 'jsn'])
    expect(code).toBe(2)
    expect(errors).toMatch(/^--values must be one of json, javascript, not 'jsn'\. Did you mean 'json'\?/)
  })
})

describe('docs', () => {
  it('MUST describe sets, types, navigation and functions', async () => {
    const { code, printed } = await ran(['docs', at('every.edmx')])
    expect(code).toBe(0)
    expect(printed).toContain('| `Parties` | [NW.Party](#nwparty) | create |')
    expect(printed).toContain('| `Price` | Edm.Decimal | yes | precision 10, scale 2 |')
    expect(printed).toContain('| `Owner` | [NW.Person](#nwperson) | \\* to 1 | `Line.Person` is `ID` |')
    expect(printed).toContain('Called by POST, returns nothing. Prices go up.')
    expect(printed).toContain('| `text` | Edm.String, at most 40 characters | no | Text |')
  })

  it('MUST draw a diagram of all types and their associations', async () => {
    const { printed } = await ran(['docs', at('every.edmx')])
    const [, diagram = ''] = /```mermaid\n(.*?)```/s.exec(printed) ?? []
    expect(diagram).toMatch(/^classDiagram\n/)
    expect(diagram).toContain('  class Line_4["Line"] {\n    +Int16 No\n')
    expect(diagram).toContain('  Party_1 <|-- Person_2\n')
    expect(diagram).toContain('  Line_4 "*" -- "1" Person_2 : Owner / Lines\n')
  })

  it('MUST lead somewhere with every link', async () => {
    for (const name of ['every.edmx', 'northwind.edmx']) {
      const { printed } = await ran(['docs', at(name)])
      const anchors = [...printed.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
      )
      const links = [...printed.matchAll(/\]\(#(.*?)\)/g)].map(([, link]) => link)
      expect(links.filter((link) => !anchors.includes(link ?? ''))).toEqual([])
    }
  })

  it('MUST escape Markdown in descriptions', async () => {
    const document = everyConstruct.replace('sap:label="Ville"', 'sap:label="a | b *c* &lt;script&gt;"')
    expect((await ran(['docs', '-'], document)).printed).toContain('| a \\| b \\*c\\* \\<script\\> |')
  })

  it.each([
    ['- a', '\\- a'],
    ['---', '\\---'],
    ['1. b', '1\\. b'],
    ['12) c', '12\\) c'],
    ['&amp;lt;b', '\\&lt;b'],
    ['R&amp;D, 1.5 - 2', 'R&D, 1.5 - 2'],
  ])('MUST show a text as it is: %s', async (text, written) => {
    const document = everyConstruct.replace('sap:label="Ville"', `sap:label="${text}"`)
    expect((await ran(['docs', '-'], document)).printed).toContain(`| ${written} |`)
  })
})

describe('diff', () => {
  const changed = (): string =>
    everyConstruct.replace('MaxLength="80"', 'MaxLength="40"').replace('"Photos"', '"Pics"')

  it('MUST exit with 0 and a message without breaking changes', async () => {
    expect(await ran(['diff', at('every.edmx'), '-'], everyConstruct)).toEqual({
      code: 0,
      printed: 'No differences that clients can see.',
      errors: '',
    })
    const more = everyConstruct.replace('MaxLength="80"', 'MaxLength="90"')
    expect(await ran(['diff', at('every.edmx'), '-'], more)).toMatchObject({
      code: 0,
      printed: expect.stringContaining('1 change, none of them breaking.') as string,
    })
  })

  it('MUST exit with 1 for breaking changes, and list them first', async () => {
    const { code, printed } = await ran(['diff', at('every.edmx'), '-'], changed())
    expect(code).toBe(1)
    expect(printed.split('\n')).toEqual([
      'Breaking changes (2)',
      '  ~ Property NW.Party/Name: MaxLength 80 became 40. Longer values are rejected.',
      '  - EntitySet Photos: removed. Requests to it get 404.',
      '',
      'Compatible changes (1)',
      '  + EntitySet Pics: added. Clients ignore what they do not know.',
      '',
      '3 changes, 2 of them breaking.',
    ])
  })

  it('MUST write JSON for programs and Markdown for people', async () => {
    const json = await ran(['diff', at('every.edmx'), '-', '--format', 'json'], changed())
    expect(JSON.parse(json.printed)).toMatchObject({
      breaking: 2,
      compatible: 1,
      changes: [{ kind: 'changed', element: 'Property', path: 'NW.Party/Name', breaking: true }, {}, {}],
    })
    const markdown = await ran(['diff', at('every.edmx'), '-', '--format=markdown'], changed())
    expect(markdown.printed).toContain('## Breaking changes\n\n|  | What | Change | For clients |')
    expect(markdown.printed).toContain('| `-` | EntitySet `Photos` | removed |')
  })

  it('MUST compare two models, and no other number', async () => {
    expect((await ran(['diff', at('every.edmx')])).errors).toMatch(/^Which models do you want to compare\?/)
    expect((await ran(['diff', 'a', 'b', 'c'])).errors).toMatch(
      /^Only two models can be compared, not also 'c'\./,
    )
    expect((await ran(['diff', '-', '-'])).errors).toMatch(/^Only one of the models/)
  })
})
