import type { ComplexType, EdmModel, EntityType } from '../../../edm/edm-model.js'

/** Names of the module itself, of the language, and of what the types of values are made of. */
const taken = [
  ...['Deferred', 'Entities', 'EntityLink', 'EntityMetadata', 'EntitySets', 'FunctionImports'],
  ...['Array', 'Date', 'Partial', 'Readonly', 'Record', 'Uint8Array'],
  ...[
    'any',
    'bigint',
    'boolean',
    'never',
    'null',
    'number',
    'object',
    'string',
    'symbol',
    'undefined',
    'unknown',
    'void',
  ],
  ...[
    'break',
    'case',
    'catch',
    'class',
    'const',
    'continue',
    'debugger',
    'default',
    'delete',
    'do',
    'else',
    'enum',
  ],
  ...[
    'export',
    'extends',
    'false',
    'finally',
    'for',
    'function',
    'if',
    'import',
    'in',
    'instanceof',
    'new',
    'return',
  ],
  ...['super', 'switch', 'this', 'throw', 'true', 'try', 'typeof', 'var', 'while', 'with', 'yield'],
]

/** The names of the interfaces of one entity type. */
export interface EntityNames {
  readonly row: string
  readonly key: string
  readonly insert: string
}

export interface TypeNames {
  readonly entities: ReadonlyMap<EntityType, EntityNames>
  readonly complexes: ReadonlyMap<ComplexType, string>
}

/** Names for interfaces of all types of a model. Where two schemas have the same name, the later gets its schema's too. */
export function typeNamesOf(model: EdmModel): TypeNames {
  const used = new Set(taken)
  const choose = ({ name, qualifiedName }: ComplexType | EntityType, endings: readonly string[]): string => {
    const fits = (one: string): boolean => endings.every((ending) => !used.has(one + ending))
    const candidates = [identifier(name), identifier(qualifiedName)]
    let best = candidates.find(fits) ?? `${identifier(qualifiedName)}_`
    while (!fits(best)) best += '_'
    for (const ending of endings) used.add(best + ending)
    return best
  }
  const entities = new Map<EntityType, EntityNames>()
  for (const type of model.entityTypes.values()) {
    const row = choose(type, ['', 'Key', 'Insert'])
    entities.set(type, { row, key: `${row}Key`, insert: `${row}Insert` })
  }
  const complexes = new Map(
    [...model.complexTypes.values()].map((type) => [type, choose(type, [''])] as const),
  )
  return { entities, complexes }
}

function identifier(name: string): string {
  return name.replace(/[^\p{ID_Continue}$]/gu, '_')
}

/** A name as the member of an interface. */
export function memberName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : `'${name}'`
}
