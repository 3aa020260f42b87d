import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEdmx } from '../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../lib/csdl/write-edmx.js'
import { inLinearTime } from '../support/linear-time.js'
import { modelAsData } from '../support/model-as-data.js'
import { modelErrorsOf } from '../support/model-errors-of.js'
import { factsOf } from '../support/xml-facts.js'

/** Metadata documents from packages of other projects. They are downloaded, and never stored in the repository. */
const documents = {
  people: { name: 'n-odata-server', version: '0.4.1', path: 'lib/metadata.xml' },
  customers: {
    name: 'openui5-smart-mockserver',
    version: '0.2.5',
    path: 'demo/webapp/localService/metadata.xml',
  },
  sharePoint: { name: 'gd-sprest-def', version: '0.0.5', path: 'metadata.xml' },
  demo: { name: 'varkes-odata-mock', version: '0.3.11', path: 'test/services.xml' },
  navigation: {
    name: '@sap_oss/wdio-qmate-service',
    version: '2.3.1',
    path: 'test/reuse/ui5/mockserver_qunit/localService/metadata.xml',
  },
} as const

type DocumentName = keyof typeof documents

let directory: string

function fetchDocument({ name, version, path }: (typeof documents)[DocumentName]): string {
  const target = mkdtempSync(join(directory, 'package-'))
  const packed = execFileSync(
    'npm',
    ['pack', `${name}@${version}`, '--silent', '--pack-destination', target],
    {
      cwd: target,
      encoding: 'utf8',
    },
  )
  const tarball = packed.trim().split('\n').at(-1) ?? ''
  execFileSync('tar', ['xzf', join(target, tarball), '-C', target])
  return readFileSync(join(target, 'package', path), 'utf8')
}

const fetched = new Map<DocumentName, string>()

function documentOf(name: DocumentName): string {
  const known = fetched.get(name) ?? fetchDocument(documents[name])
  fetched.set(name, known)
  return known
}

/** Facts that say what holds without them, and are therefore not written. */
const isDefault = (fact: string): boolean => fact.endsWith('Nullable="true"')

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'foreign-edmx-'))
})

afterAll(() => {
  rmSync(directory, { recursive: true, force: true })
})

describe.each<[DocumentName, string, readonly string[]]>([
  ['people', '2.0', ['People']],
  [
    'customers',
    '1.0',
    ['Customers', 'Employees', 'SAPSemanticEntitySet', 'SmartMockServerAnnotationsEntitySet'],
  ],
])('The document of %s', (name, version, sets) => {
  it('MUST be parsed', () => {
    const model = readEdmx(documentOf(name))
    expect(model.dataServiceVersion).toBe(version)
    expect(model.defaultContainer.entitySets.map((set) => set.name).sort()).toEqual([...sets].sort())
  })

  it('MUST have the same content after parsing and serialization', () => {
    const model = readEdmx(documentOf(name))
    const written = writeEdmx(model)
    expect(factsOf(written)).toEqual(factsOf(documentOf(name)).filter((fact) => !isDefault(fact)))
    expect(modelAsData(readEdmx(written))).toEqual(modelAsData(model))
    expect(writeEdmx(readEdmx(written))).toBe(written)
  })
})

describe('A document of version 3 with 77 schemas', () => {
  it('MUST be rejected with a list of all errors', () => {
    const document = documentOf('sharePoint')
    const errors = modelErrorsOf(() => inLinearTime(() => readEdmx(document)))
    expect(errors.length).toBeGreaterThan(1000)
    expect(new Set(errors).size).toBe(errors.length)
  })
})

describe('A document of version 3 with types that version 2 does not have', () => {
  it('MUST be rejected with the types and their places', () => {
    expect(modelErrorsOf(() => readEdmx(documentOf('demo')))).toEqual([
      "ODataDemo.Supplier.Location: there is no simple or complex type 'Edm.GeographyPoint'.",
      "ODataDemo.PersonDetail.Photo: there is no simple or complex type 'Edm.Stream'.",
    ])
  })
})

describe('A document with a qualified name in a declaration', () => {
  it('MUST be rejected with the association and all references to it', () => {
    const association = 'NavigationModel.FK_Employees_Resumes'
    expect(modelErrorsOf(() => readEdmx(documentOf('navigation')))).toEqual([
      expect.stringMatching(
        /^NavigationModel\.NavigationModel\.FK_Employees_Resumes: '.*' is not a valid name: .* Write 'FK_Employees_Resumes': the schema adds the namespace\.$/,
      ),
      `NavigationModel.Employee.Resume: there is no association '${association}'.`,
      `NavigationModel.NavigationEntities.FK_Employees_Resumes: there is no association '${association}'.`,
    ])
  })
})
