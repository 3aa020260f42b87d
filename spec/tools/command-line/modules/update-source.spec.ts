import * as estree from 'prettier/plugins/estree'
import * as typescript from 'prettier/plugins/typescript'
import { format } from 'prettier/standalone'
import { definitionOf } from '../../../../lib/csdl/definition-of-model.js'
import { printModel } from '../../../../lib/csdl/print-model.js'
import { defineModel, edm } from '../../../../lib/edm/define-model.js'
import type { ModelDefinition } from '../../../../lib/edm/model-definition.js'
import {
  isEqual,
  mergeDefinitions,
  withChange,
} from '../../../../lib/tools/command-line/modules/merge-definitions.js'
import { updateSource } from '../../../../lib/tools/command-line/modules/update-source.js'
import { evaluateModel } from '../../../support/evaluate-model.js'
import { fc, runs } from '../../../support/random.js'
import { randomDefinition } from '../../../support/random-definition.js'

interface Tree {
  [name: string]: unknown
}

/** A change of one part of a definition; changes of different parts do not affect each other. */
interface Edit {
  /** The part that it changes. */
  readonly part: string
  readonly apply: (definition: Tree) => void
}

const words = ['A', 'B', 'C', 'D']

function inside(tree: Tree, ...names: readonly string[]): Tree {
  return names.reduce((one, name) => (one[name] ??= {}) as Tree, tree)
}

const onType = (name: string): fc.Arbitrary<Edit> =>
  fc.oneof(
    fc.constantFrom('label', 'heading').map((facet) => ({
      part: `${name} ${facet}`,
      apply: (definition: Tree) => {
        inside(definition, 'entityTypes', name, 'sap')[facet] = `${facet} of "${name}"`
      },
    })),
    fc.constantFrom('maxLength', 'precision', 'collation', 'label').map((facet) => ({
      part: `${name}P ${facet}`,
      apply: (definition: Tree) => {
        const property = inside(definition, 'entityTypes', name, 'properties')[`${name}P`] as Tree | undefined
        if (property === undefined) return
        if (facet === 'label') inside(property, 'sap').label = "It's"
        else property[facet] = facet === 'collation' ? 'C' : 77
      },
    })),
    fc.constantFrom('New', '名', 'constructor').map((property) => ({
      part: `${name} ${property}`,
      apply: (definition: Tree) => {
        const properties = inside(definition, 'entityTypes', name, 'properties')
        properties[`${name}${property}`] = { type: 'Edm.String', maxLength: 9, sap: { label: property } }
      },
    })),
    fc.constant({
      part: `${name}Q`,
      apply: (definition: Tree) => {
        delete inside(definition, 'entityTypes', name, 'properties')[`${name}Q`]
      },
    }),
    fc.constant({
      part: `${name}s2`,
      apply: (definition: Tree) => {
        inside(definition, 'entityContainer', 'entitySets')[`${name}s2`] = { entityType: name }
      },
    }),
  )

const onModel: fc.Arbitrary<Edit> = fc.constantFrom<Edit>(
  {
    part: 'F',
    apply: (definition) => {
      const functions = inside(definition, 'entityContainer', 'functionImports')
      // Removing all functions and adding one in the document is a conflict.
      if ('G' in functions) delete functions.F
    },
  },
  {
    part: 'H',
    apply: (definition) => {
      inside(definition, 'entityContainer', 'functionImports').H = {
        returnType: 'Edm.Int32',
        parameters: { p: { type: 'Edm.String' } },
      }
    },
  },
  {
    part: 'Extra',
    apply: (definition) => {
      inside(definition, 'complexTypes').Extra = { properties: { X: { type: 'Edm.Int32' } } }
    },
  },
)

const edits = fc.uniqueArray(fc.oneof(...words.map(onType), onModel), {
  maxLength: 12,
  selector: ({ part }) => part,
})

/** Returns the definition, in its canonical form, with edits. */
function edited(definition: unknown, changes: readonly Edit[]): ModelDefinition {
  const copy = structuredClone(definition) as Tree
  for (const { apply } of changes) apply(copy)
  return canonical(copy)
}

function canonical(definition: ModelDefinition): ModelDefinition {
  return structuredClone(definitionOf(defineModel(definition)))
}

/** How people reformat a module: line ends, widths, quotes, comments above and after members, and sorted members. */
const restyled = fc.record({
  width: fc.constantFrom(40, 100, 400),
  commas: fc.constantFrom('none', 'all'),
  comments: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  constants: fc.boolean(),
})

type Style = typeof restyled extends fc.Arbitrary<infer Value> ? Value : never

async function moduleOf(definition: ModelDefinition, style: Style): Promise<string> {
  const { width, commas, comments, lineEnd, constants } = style
  const text = await format(printModel(defineModel(definition)), {
    parser: 'typescript',
    plugins: [estree, typescript],
    printWidth: width,
    trailingComma: commas,
    semi: constants,
    singleQuote: comments,
  })
  const commented = comments
    ? text
        .replace(/^( *)(entityTypes|entityContainer|[ABCD]s?): \{$/gm, '$1// about "$2" {\n$&')
        .replace(/^( *key: .*,)$/gm, "$1 // it's the key }")
    : text
  const code = constants
    ? `${commented}\nexport const other = /["'{]/.test('defineModel(') // {\n`
    : commented
  return code.replaceAll('\n', lineEnd)
}

/** Returns the comments of a module, with the words before them. */
function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/\/\/ .*/g)].map(([comment]) => comment.trim())
}

describe('The update of a module', () => {
  it('MUST define the changed model with all edits, and preserve comments, for random models and edits', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomDefinition,
        edits,
        fc.infiniteStream(fc.boolean()),
        restyled,
        async (definition, all, sides, style) => {
          const base = canonical(definition)
          const ofDocument = all.filter(() => sides.next().value)
          const mine = edited(
            base,
            all.filter((one) => !ofDocument.includes(one)),
          )
          const next = edited(base, ofDocument)
          const text = await moduleOf(mine, style)
          const { change, conflicts } = mergeDefinitions({ base, mine, next })
          expect(conflicts).toEqual([])
          const updated =
            change === undefined
              ? { text, problems: [] }
              : updateSource(text, change, definitionOf(evaluateModel(text)))
          expect(updated.problems).toEqual([])
          expect(definitionOf(evaluateModel(updated.text))).toEqual(edited(base, all))
          expect(commentsOf(updated.text)).toEqual(commentsOf(text))
          expect(/(?<!\r)\n/.test(updated.text)).toBe(style.lineEnd === '\n')
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('MUST report a conflict where both sides have changed a part to different values', () => {
    fc.assert(
      fc.property(fc.tuple(fc.integer(), fc.integer(), fc.integer()), ([base, mine, next]) => {
        const at = (maxLength: number): object => ({
          properties: { Name: { type: 'Edm.String', maxLength } },
        })
        const { change, conflicts } = mergeDefinitions({ base: at(base), mine: at(mine), next: at(next) })
        const isConflict = mine !== base && next !== base && mine !== next
        expect(conflicts.map(({ path }) => path.join('.'))).toEqual(
          isConflict ? ['properties.Name.maxLength'] : [],
        )
        const merged = change === undefined ? at(mine) : withChange(at(mine), change)
        expect(isEqual(merged, at(isConflict || next === base ? mine : next))).toBe(true)
      }),
    )
  })
})

const shop = `import { defineModel, edm } from 'express-odata-v2'
import { MAX } from './limits.js'

const id = edm.Int32()
export const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    // The goods.
    Product: {
      key: ['ID'],
      properties: {
        ID: id, // the number
        /* the name */ Name: edm.String({ maxLength: MAX }),
        Price: edm.Decimal({ precision: 9, scale: 2 }),
        Text: edm.String(),
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})
`

describe('The code of a module', () => {
  const product = (properties: Record<string, object | undefined>): Parameters<typeof updateSource>[1] => ({
    kind: 'members',
    order: [],
    members: new Map([
      [
        'entityTypes',
        {
          kind: 'members',
          order: [],
          members: new Map([
            [
              'Product',
              {
                kind: 'members',
                order: [],
                members: new Map([
                  [
                    'properties',
                    {
                      kind: 'members',
                      order: ['ID', 'No', 'Name', 'Price', 'Currency', 'Text'],
                      members: new Map(
                        Object.entries(properties).map(([name, value]) => [
                          name,
                          value !== undefined && !('type' in value)
                            ? {
                                kind: 'members' as const,
                                order: [],
                                members: new Map(
                                  Object.entries(value).map(([facet, one]) => [
                                    facet,
                                    { kind: 'set' as const, value: one as unknown },
                                  ]),
                                ),
                              }
                            : { kind: 'set' as const, value },
                        ]),
                      ),
                    },
                  ],
                ]),
              },
            ],
          ]),
        },
      ],
    ]),
  })
  const definition = definitionOf(
    defineModel({
      namespace: 'Shop',
      entityTypes: {
        Product: {
          key: ['ID'],
          properties: {
            ID: edm.Int32(),
            Name: edm.String({ maxLength: 40 }),
            Price: edm.Decimal({ precision: 9, scale: 2 }),
            Text: edm.String(),
          },
        },
      },
      entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
    }),
  )
  const update = (properties: Record<string, object | undefined>): ReturnType<typeof updateSource> =>
    updateSource(shop, product(properties), definition)

  it('MUST change only the parts that differ, and add members where the document has them', () => {
    const { text, problems } = update({
      No: { type: 'Edm.Int16' },
      Price: { scale: 3 },
      Currency: { type: 'Edm.String', maxLength: 5 },
      Text: { maxLength: 1000 },
    })
    expect(problems).toEqual([])
    expect(text).toBe(
      shop
        .replace('// the number\n', '// the number\n        No: edm.Int16(),\n')
        .replace('scale: 2 }),', 'scale: 3 }),\n        Currency: edm.String({ maxLength: 5 }),')
        .replace('Text: edm.String()', 'Text: edm.String({ maxLength: 1000 })'),
    )
    expect(update({ Price: undefined }).text).toBe(shop.replace(/ *Price: .*\n/, ''))
  })

  it('MUST not be removed: constants, and comments of removed members', () => {
    expect(update({ Name: { maxLength: 50 } }).problems).toEqual([
      'entityTypes.Product.properties.Name.maxLength is computed by code',
    ])
    expect(update({ ID: { sap: { label: 'x' } } }).problems).toEqual([
      'entityTypes.Product.properties.ID is not an object literal',
    ])
    expect(update({ Name: undefined }).problems).toEqual([
      'entityTypes.Product.properties.Name has a comment, but is not in the source',
    ])
  })

  it('MUST contain one call of defineModel with a literal', () => {
    const change = product({ Price: undefined })
    for (const text of ['', `${shop}defineModel({})`]) {
      expect(updateSource(text, change, definition).problems).toEqual([
        'the module does not have exactly one call of defineModel',
      ])
    }
    expect(updateSource('defineModel(shop)', change, definition).problems).toEqual([
      ' is not an object literal',
    ])
    expect(updateSource('defineModel({ a: "', change, definition).problems).toEqual([
      'line 1 has unexpected code',
    ])
  })
})
