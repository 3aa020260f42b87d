import { resolve } from 'node:path'
import ts from 'typescript'

/**
 * The cost of compiling a typed model, in type instantiations: a number that is the same on every machine and
 * proportional to the time.
 */

const simpleTypes = ['String', 'Int32', 'Decimal', 'DateTime', 'Boolean', 'Int64', 'Guid', 'Double', 'Time']

/** Fifteen properties and links to its neighbors for each of the types, and use of everything that is inferred. */
function source(types: number): string {
  const numbers = Array.from({ length: types }, (_, index) => index)
  const properties = simpleTypes.flatMap((type) => [
    `${type}: edm.${type}()`,
    `Needed${type}: edm.${type}({ nullable: false })`,
  ])
  const entityType = (one: number): string => `Type${one}: {
    key: ['ID'],
    properties: { ID: edm.Int32({ nullable: false }), ${properties.slice(0, 13).join(', ')}, Place: { type: 'Place' } },
    navigationProperties: { Next: { relationship: 'To${one}', fromRole: 'From', toRole: 'To' } },
  }`
  const association = (one: number): string => `To${one}: { ends: {
    From: { type: 'Type${one}', multiplicity: '*' }, To: { type: 'Type${(one + 1) % types}', multiplicity: '0..1' },
  } }`
  return `
    import type { EntityOf, InsertOf, Provider } from '../../lib/index.js'
    import { defineModel, edm, memoryProvider } from '../../lib/index.js'
    const model = defineModel({
      namespace: 'Large',
      complexTypes: { Place: { properties: { Street: edm.String(), Zip: edm.String({ nullable: false }) } } },
      entityTypes: { ${numbers.map(entityType).join()} },
      associations: { ${numbers.map(association).join()} },
      entityContainer: { entitySets: { ${numbers.map((one) => `Set${one}: { entityType: 'Type${one}' }`).join()} } },
    })
    type Model = typeof model
    ${numbers.map((one) => `export const read${one} = (row: EntityOf<Model, 'Set${one}'>) => row.Place?.Zip`).join('\n')}
    ${numbers.map((one) => `export const add${one} = (row: InsertOf<Model, 'Set${one}'>) => row.Decimal`).join('\n')}
    export const provider: Provider<Model> = { entitySets: {
      ${numbers.map((one) => `Set${one}: { read: () => [], readByKey: ({ ID }) => ({ ID: ID + 1 }) as never }`).join()}
    } }
    export const memory = memoryProvider(model, { ${numbers.map((one) => `Set${one}: []`).join()} })
  `
}

/** SAP annotations of all properties, and vocabulary annotations of each type and one of its properties. */
function annotatedSource(types: number): string {
  const numbers = Array.from({ length: types }, (_, index) => index)
  const properties = simpleTypes.map(
    (type) => `${type}: edm.${type}({ sap: { label: '${type}', filterable: false, text: 'String' } })`,
  )
  const entityType = (one: number): string => `Type${one}: {
    key: ['ID'],
    sap: { label: 'Type' },
    properties: { ID: edm.Int32({ nullable: false }), ${properties.join(', ')} },
  }`
  const annotations = (one: number): string => `
    'Large.Type${one}': {
      'UI.HeaderInfo': { TypeName: 'Type', TypeNamePlural: 'Types', Title: { Value: path('String') } },
      'UI.LineItem': [dataField('String'), dataField('Decimal', { Label: 'Amount' })],
      'UI.SelectionFields': ['String', 'Boolean'],
    },
    'Large.Type${one}/Int32': {
      'Common.Text': path('String'),
      'Common.ValueList': valueList('Set${(one + 1) % types}', { inOut: { Int32: 'ID' }, display: ['String'] }),
    }`
  return `
    import { annotate, dataField, defineModel, edm, path, valueList } from '../../lib/index.js'
    const model = defineModel({
      namespace: 'Large',
      entityTypes: { ${numbers.map(entityType).join()} },
      entityContainer: { entitySets: { ${numbers.map((one) => `Set${one}: { entityType: 'Type${one}' }`).join()} } },
    })
    export const annotations = annotate(model, { ${numbers.map(annotations).join()} })
  `
}

interface Config {
  readonly compilerOptions: object
}

function instantiations(types: number, sourceOf = source): number {
  const file = resolve('spec/types/large-model.ts')
  const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)) as { config: Config }
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, resolve('.'))
  const disk = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === file || disk.fileExists(name),
    getSourceFile: (name, ...rest) =>
      name === file
        ? ts.createSourceFile(file, sourceOf(types), ts.ScriptTarget.ES2022)
        : disk.getSourceFile(name, ...rest),
  }
  const program = ts.createProgram([file], options, host)
  const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(file))
  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
  return program.getInstantiationCount()
}

describe('A typed model', () => {
  it('MUST cost the compiler little for each entity set, regardless of their number', () => {
    const [few, many] = [instantiations(100), instantiations(200)]
    // Measured: 3,209 for each set, including 1,472 for checking the names that it refers to.
    expect((many - few) / 100).toBeLessThan(3_250)
    expect(many).toBeLessThan(665_000)
  })

  it('MUST cost the compiler little for the annotations of each entity set, regardless of their number', () => {
    const [few, many] = [instantiations(50, annotatedSource), instantiations(100, annotatedSource)]
    // Measured: 2,828 for each set, whose type has nine annotated properties and five vocabulary terms.
    expect((many - few) / 50).toBeLessThan(2_870)
    expect(many).toBeLessThan(295_000)
  })
})
