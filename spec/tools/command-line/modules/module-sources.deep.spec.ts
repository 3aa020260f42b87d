import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeEdmx } from '../../../../lib/csdl/write-edmx.js'
import { northwindModel } from '../../../../sample-app/northwind/northwind-service.js'
import type { Ended } from '../../../support/command-process.js'
import { BuiltProgram } from '../../../support/command-process.js'

const project = resolve(__dirname, '../../../..')
const directory = mkdtempSync(join(tmpdir(), 'module-sources-'))
const at = (name: string): string => join(directory, name)
const text = (name: string): string => readFileSync(at(name), 'utf8')
const released = writeEdmx(northwindModel)
let program: BuiltProgram

beforeAll(() => {
  program = new BuiltProgram()
  mkdirSync(at('node_modules/express-odata-v2'), { recursive: true })
  const esbuild = join(project, 'node_modules/.bin/esbuild')
  const library = at('node_modules/express-odata-v2/index.js')
  const source = join(project, 'lib/edm/define-model.ts')
  execFileSync(esbuild, [source, '--bundle', '--platform=node', '--format=cjs', `--outfile=${library}`], {
    stdio: 'pipe',
  })
  symlinkSync(join(project, 'node_modules/typescript'), at('node_modules/typescript'))
  writeFileSync(at('released.edmx'), released)
  writeFileSync(
    at('next.edmx'),
    released
      .replace(/(<Property Name="ProductName"[^>]*MaxLength=)"\d+"/, '$1"81"')
      .replace('<Property Name="ProductName"', '<Property Name="Color" Type="Edm.String"/>$&'),
  )
})

afterAll(() => {
  program.remove()
  rmSync(directory, { recursive: true })
})

const run = (...words: readonly string[]): Promise<Ended> => program.run(words)

async function imported(
  name: string,
  edit: (source: string) => string = (source) => source,
): Promise<string> {
  rmSync(at(name), { force: true })
  expect(await run('import', at('released.edmx'), '--output', at(name))).toMatchObject({ code: 0 })
  writeFileSync(at(name), edit(text(name)))
  return text(name)
}

/** A label, a comment, another order, and imports of TypeScript files. */
function edited(source: string): string {
  return source
    .replace("from 'express-odata-v2'\n", "$&import { label } from './labels.js'\nimport './folder'\n")
    .replace(/ProductName: edm\.String\(\{/, '// shown in lists\n$&')
    .replace(/(ProductName: [^]*?)sap: \{ label: 'Name' \}/, '$1sap: { label }')
    .replace('export const model =', 'export default')
}

describe('A module', () => {
  beforeAll(() => {
    writeFileSync(at('labels.ts'), "export const label: string = 'The name'\n")
    mkdirSync(at('folder'))
    writeFileSync(at('folder/index.ts'), 'enum Kind { One }\nexport const kind: Kind = Kind.One\n')
  })

  it('MUST be compared with a document, on both sides, as model or default export', async () => {
    await imported('model.ts')
    await imported('edited.ts', edited)
    await imported('model.cjs', (source) =>
      source
        .replace(/import (.*) from (.*)/, 'const $1 = require($2)')
        .replace('export const model =', 'exports.model ='),
    )
    for (const name of ['model.ts', 'edited.ts', 'model.cjs']) {
      expect(await run('diff', at(name), at('released.edmx'))).toMatchObject({
        code: 0,
        stdout: 'No differences that clients can see.\n',
      })
      const { code, stdout } = await run('diff', at('next.edmx'), at(name))
      expect([code, stdout]).toEqual([1, expect.stringContaining('MaxLength 81 became 60')])
    }
    expect((await run('types', at('edited.ts'))).stdout).toContain('The name')
  })

  it('MUST be updated after edits: the document and the edits are in the result', async () => {
    const before = await imported('updated.ts', edited)
    const ended = await run('import', at('next.edmx'), '--output', at('updated.ts'))
    expect(ended).toMatchObject({ code: 0, stderr: `Wrote ${at('updated.ts')}\n` })
    const lines = text('updated.ts').split('\n')
    const same = lines.filter((line) => before.split('\n').includes(line))
    expect(same).toHaveLength(before.split('\n').length - 2)
    expect(lines.filter((line) => !before.split('\n').includes(line))).toEqual([
      expect.stringMatching(/^ +Color: edm\.String\(\),$/),
      expect.stringContaining('maxLength: 81'),
      expect.stringMatching(/^\/\/ Imported model/),
    ])
    expect((await run('diff', at('next.edmx'), at('updated.ts'))).stdout).toBe(
      'No differences that clients can see.\n',
    )
    expect((await run('types', at('updated.ts'))).stdout).toContain('The name')
    const again = await run('import', at('next.edmx'), '--output', at('updated.ts'))
    expect(again).toMatchObject({ code: 0, stderr: `${at('updated.ts')} is up to date.\n` })
    expect(text('updated.ts')).toBe(lines.join('\n'))
  })

  it.each([
    [
      'an edit of the same facet',
      /(ProductName: [^}]*?)maxLength: \d+/,
      '$1maxLength: 50',
      / {2}schemas\.0\.entityTypes\.Product\.properties\.ProductName\.maxLength: imported as 60, edited to 50, now 81\n/,
    ],
    [
      'a constant',
      /(ProductName: [^}]*?)maxLength: \d+/,
      '$1maxLength: Number("60")',
      / {2}schemas\.0\.entityTypes\.Product\.properties\.ProductName\.maxLength is computed by code\n/,
    ],
    [
      'a member that the code replaces',
      /ProductName: (edm\.String\(\{[^]*?\}\)),/,
      '$&\n...{ ProductName: $1 },',
      /its code defines another model after the update/,
    ],
    ['a definition elsewhere', /defineModel\(/, 'defineModel(schema)\nexport const schema = (', /./],
  ])(
    'MUST stay as it is, with the reasons, if an edit would be lost: %s',
    async (_edit, found, replacement, reason) => {
      const before = await imported('refused.ts', (source) => source.replace(found, replacement))
      const ended = await run('import', at('next.edmx'), '--output', at('refused.ts'))
      expect([ended.code, ended.stdout, text('refused.ts')]).toEqual([2, '', before])
      expect(ended.stderr).toMatch(reason)
      expect(readdirSync(directory).filter((name) => name.startsWith('.'))).toEqual([])
    },
  )

  it('MUST be reported if its model, an import or a compiler is missing', async () => {
    writeFileSync(at('empty.ts'), 'export const other = 1\n')
    expect((await run('diff', at('empty.ts'), at('released.edmx'))).stderr).toBe(
      `'${at('empty.ts')}' exports no model. Export the result of defineModel as 'model' or as default.\n`,
    )
    writeFileSync(at('broken.ts'), "import './missing.js'\n")
    expect((await run('diff', at('broken.ts'), at('released.edmx'))).stderr).toMatch(
      /broken\.ts' cannot be loaded: Cannot find module/,
    )
    const elsewhere = mkdtempSync(join(tmpdir(), 'without-compiler-'))
    writeFileSync(join(elsewhere, 'model.ts'), 'enum Kind { One }\nexport const model = Kind.One\n')
    expect((await run('diff', join(elsewhere, 'model.ts'), at('released.edmx'))).stderr).toMatch(
      /cannot be loaded: Node\.js \d+\.\d+\.\d+ does not execute it\. Install typescript 6 or earlier/,
    )
    rmSync(elsewhere, { recursive: true })
  })

  it('MUST not execute documents', async () => {
    writeFileSync(at('model.xml'), 'process.exit(7)')
    expect(await run('diff', at('model.xml'), at('released.edmx'))).toMatchObject({ code: 2 })
  })
})
