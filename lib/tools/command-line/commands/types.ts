import type { Command } from '../command.js'
import { parseChoice, parseSource, parseArgs } from '../parse-args.js'
import { readModel, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'
import { titleOf } from '../source-kind.js'
import { outputOption, writeResult } from '../command.js'
import type {
  ComplexType,
  EdmModel,
  EntityContainer,
  EntityType,
  FunctionImport,
  NavigationProperty,
  Property,
} from '../../../edm/edm-model.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { sapRestrictionsOf } from '../../../edm/sap-annotations.js'
import { labelOf, descriptionsOf, describeType, docComment } from '../describe-element.js'

const options = {
  output: outputOption,
  values: {
    type: 'string',
    value: '<kind>',
    text: 'json: values as verbose JSON has them, for clients (default); javascript: as providers are given them',
  },
  ...sourceOptions,
} as const

export const typesCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes TypeScript interfaces for the rows of a source: entities as they are read, their keys, and new ones.
The module needs no other.

${sourceHelp}`,
  options,
  notes: `  express-odata-v2 types northwind.edmx --output northwind.ts
  express-odata-v2 types https://host/service/ --values javascript`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const source = parseSource(positionals, 'Of what are the types wanted?')
    const kind = parseChoice('--values', values.values, ['json', 'javascript'])
    const model = await readModel(source, sourceSettings(values), io)
    await writeResult(printRowTypes(model, titleOf(source), kind), values.output, io)
    return 0
  },
}

/** What stands in JSON beside the properties of entities. @spec MS-ODATA 2.2.6.3.3 */
const jsonTypes = `/** What stands in every entity beside its properties. */
export interface EntityMetadata {
  uri: string
  type: string
  etag?: string
  content_type?: string
  media_src?: string
  edit_media?: string
  media_etag?: string
}

/** Entities that were not asked for with \`$expand\`. */
export interface Deferred {
  __deferred: { uri: string }
}

/** Several entities, with where there are more, and how many there are if that was asked for. */
export interface Entities<Row> {
  results: Row[]
  __next?: string
  __count?: string
}

/** An entity that is there, by its address. */
export interface EntityLink {
  __metadata: { uri: string }
}
`

/**
 * The types of the rows of a model as a TypeScript module that needs no other: an interface for each entity as it is
 * read, for its key, and for a new one.
 *
 * @param source what the model was made of, for the comment at the top
 * @param values of JSON for clients, or of JavaScript as providers are given them
 */
export function printRowTypes(model: EdmModel, source: string, values: RowValues): string {
  return new RowTypes(model, values).module(source)
}

class RowTypes {
  private readonly names: TypeNames
  private readonly isJson: boolean

  constructor(
    private readonly model: EdmModel,
    private readonly values: RowValues,
  ) {
    this.names = typeNamesOf(model)
    this.isJson = values === 'json'
  }

  module(source: string): string {
    const { entityTypes, complexTypes, entityContainers } = this.model
    const kind = this.isJson ? 'as verbose JSON has them' : 'as JavaScript has them'
    const parts = [
      `/** The rows of ${source.replaceAll('*/', '*\\/')}, ${kind}. Made by express-odata-v2 types. */\n`,
      ...(this.isJson ? [jsonTypes] : []),
      ...[...complexTypes.values()].map((type) => this.complex(type)),
      ...[...entityTypes.values()].map((type) => this.entity(type)),
      this.entitySets(entityContainers),
      ...this.functionImports(entityContainers),
    ]
    return parts.join('\n')
  }

  private complex(type: ComplexType): string {
    const members = type.properties.map((property) => this.member(property, this.nullableType(property)))
    return `${docOf(type)}export interface ${this.names.complexes.get(type) ?? type.name} {\n${members.join('')}}\n`
  }

  private entity(type: EntityType): string {
    const { row, key, insert } = this.namesOf(type)
    const base = type.baseType === undefined ? '' : ` extends ${this.namesOf(type.baseType).row}`
    return [
      `${docOf(type)}export interface ${row}${base} {\n${this.rowMembers(type).join('')}}\n`,
      `/** The key of ${row}. */\nexport interface ${key} {\n${type.key.map((one) => this.member(one, this.typeOf(one))).join('')}}\n`,
      `/** A new ${row}. */\nexport interface ${insert} {\n${this.insertMembers(type).join('')}}\n`,
    ].join('\n')
  }

  private rowMembers(type: EntityType): string[] {
    const isBase = type.baseType === undefined
    const kind = this.isJson
      ? '  __metadata?: EntityMetadata\n'
      : isDerivable(type)
        ? '  $type?: string\n'
        : ''
    return [
      ...(isBase && kind !== '' ? [kind] : []),
      ...type.declaredProperties.map((property) => this.member(property, this.nullableType(property))),
      ...(this.isJson ? type.declaredNavigationProperties.map((one) => this.navigation(one)) : []),
    ]
  }

  private insertMembers(type: EntityType): string[] {
    const restrictions = sapRestrictionsOf(this.model)
    const properties = type.properties
      .filter((property) => restrictions?.properties.get(property)?.notCreatable !== true)
      .map((property) => {
        const written = isPrimitive(property.type) ? this.nullableType(property) : this.partialType(property)
        return this.member(property, written, isOptional(property))
      })
    if (!this.isJson) return [...(isDerivable(type) ? ['  $type?: string\n'] : []), ...properties]
    const navigations = type.navigationProperties
      .filter((one) => restrictions?.navigations.get(one)?.notCreatable !== true)
      .map((one) => {
        const target = `${this.namesOf(one.targetType).insert} | EntityLink`
        const written = one.isCollection ? `(${target})[]` : target
        return `${docComment(labelAndDescriptions(one), '  ')}  ${memberName(one.name)}?: ${written}\n`
      })
    const metadata = isDerivable(type) ? ['  __metadata?: { type: string }\n'] : []
    return [...metadata, ...properties, ...navigations]
  }

  private navigation(one: NavigationProperty): string {
    const { row } = this.namesOf(one.targetType)
    const target = one.isCollection ? `Entities<${row}>` : row
    const nothing = one.toEnd.multiplicity === '0..1' ? ' | null' : ''
    return `${docComment(labelAndDescriptions(one), '  ')}  ${memberName(one.name)}?: ${target} | Deferred${nothing}\n`
  }

  private entitySets(containers: readonly EntityContainer[]): string {
    const sets = containers.flatMap(({ entitySets }) => entitySets)
    const members = sets.map((set) => {
      const { row, key, insert } = this.namesOf(set.entityType)
      const rows = `{ entity: ${row}; key: ${key}; insert: ${insert} }`
      return `${docComment(labelAndDescriptions(set), '  ')}  ${memberName(set.path)}: ${rows}\n`
    })
    return `/** What there is in each entity set. */\nexport interface EntitySets {\n${members.join('')}}\n`
  }

  private functionImports(containers: readonly EntityContainer[]): string[] {
    const all = containers.flatMap(({ functionImports }) => functionImports)
    if (all.length === 0) return []
    const members = all.map((one) => this.functionImport(one))
    return [
      `/** What functions take and return. */\nexport interface FunctionImports {\n${members.join('')}}\n`,
    ]
  }

  private functionImport(one: FunctionImport): string {
    const parameters = one.parameters.map(({ name, type, nullable }) => {
      const written = typesOfValues[this.values][type]
      return `${memberName(name)}${nullable ? '?' : ''}: ${nullable ? `${written} | null` : written}`
    })
    const given = parameters.length === 0 ? 'Record<string, never>' : `{ ${parameters.join('; ')} }`
    const doc = docComment(
      [`${one.httpMethod ?? 'GET or POST'}. ${labelAndDescriptions(one).join(' ')}`],
      '  ',
    )
    return `${doc}  ${memberName(one.path)}: { parameters: ${given}; result: ${this.resultOf(one)} }\n`
  }

  private resultOf({ returnType }: FunctionImport): string {
    if (returnType === undefined) return 'undefined'
    const { type, isCollection } = returnType
    const one = isPrimitive(type) ? typesOfValues[this.values][type] : this.nameOf(type)
    if (!isCollection) return one
    return one.includes('|') ? `(${one})[]` : `${one}[]`
  }

  private member(property: Property, written: string, isOptionalMember = false): string {
    const { name } = property
    const example = this.isJson && isPrimitive(property.type) ? exampleOf(property.type) : ''
    const label = labelOf(property)
    const type = `${describeType(property)}${example}.`
    const doc = docComment(
      [label === undefined ? type : `${label}: ${type}`, ...descriptionsOf(property)],
      '  ',
    )
    return `${doc}  ${memberName(name)}${isOptionalMember ? '?' : ''}: ${written}\n`
  }

  private typeOf({ type }: Property): string {
    return isPrimitive(type) ? typesOfValues[this.values][type] : this.nameOf(type)
  }

  private nullableType(property: Property): string {
    const type = this.typeOf(property)
    return property.nullable && !property.isKey ? `${type} | null` : type
  }

  private partialType(property: Property): string {
    return `Partial<${this.typeOf(property)}>${property.nullable ? ' | null' : ''}`
  }

  private nameOf(type: ComplexType | EntityType): string {
    return type.kind === 'EntityType' ? this.namesOf(type).row : (this.names.complexes.get(type) ?? type.name)
  }

  private namesOf(type: EntityType): EntityNames {
    const { name } = type
    return this.names.entities.get(type) ?? { row: name, key: `${name}Key`, insert: `${name}Insert` }
  }
}

function exampleOf(type: PrimitiveTypeName): string {
  const example = examplesInJson[type]
  return example === undefined ? '' : `: ${example}`
}

function docOf(type: ComplexType | EntityType): string {
  const isMedia = type.kind === 'EntityType' && type.declaresStream
  return docComment([...labelAndDescriptions(type), ...(isMedia ? ['Has a media resource.'] : [])])
}

function labelAndDescriptions(element: Parameters<typeof labelOf>[0]): string[] {
  const label = labelOf(element)
  return [...(label === undefined ? [] : [label]), ...descriptionsOf(element)]
}

/** Whether entities of a set may be of more than one type. */
function isDerivable({ derivedTypes, baseType }: EntityType): boolean {
  return derivedTypes.length > 0 || baseType !== undefined
}

/** Whether a new entity may be without it: it is null, has a default or is made by the service. */
function isOptional({ nullable, isKey, defaultValue, storeGeneratedPattern: made, type }: Property): boolean {
  if (defaultValue !== undefined || made === 'Identity' || made === 'Computed') return true
  if (!isKey) return nullable
  return type === 'Edm.Int16' || type === 'Edm.Int32' || type === 'Edm.Int64' || type === 'Edm.Guid'
}

/** Which values rows hold: those of verbose JSON, or those that providers are given. */
type RowValues = 'json' | 'javascript'

const common = {
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.Decimal': 'string',
  'Edm.Guid': 'string',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.SByte': 'number',
  'Edm.String': 'string',
  'Edm.Time': 'string',
} as const

/**
 * The TypeScript types of values.
 *
 * @spec MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)
 */
const typesOfValues: Readonly<Record<RowValues, Readonly<Record<PrimitiveTypeName, string>>>> = {
  json: {
    ...common,
    'Edm.Binary': 'string',
    'Edm.DateTime': 'string',
    'Edm.DateTimeOffset': 'string',
    // Some services write numbers.
    'Edm.Double': 'number | string',
    'Edm.Int64': 'string',
    'Edm.Single': 'number | string',
  },
  javascript: {
    ...common,
    'Edm.Binary': 'Uint8Array',
    'Edm.DateTime': 'Date | string',
    'Edm.DateTimeOffset': 'Date | string',
    'Edm.Double': 'number',
    'Edm.Int64': 'bigint',
    'Edm.Single': 'number',
  },
}

/** What the values of a type look like in JSON, where the TypeScript type does not tell. */
const examplesInJson: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  'Edm.Binary': 'base64',
  'Edm.DateTime': '/Date(1338282808000)/',
  'Edm.DateTimeOffset': '/Date(1338282808000+0000)/',
  'Edm.Time': 'PT09H13M28S',
}

/** Names that the module declares or uses itself, and words that TypeScript reserves. */
const reservedNames = `
  Deferred Entities EntityLink EntityMetadata EntitySets FunctionImports
  Array Date Partial Readonly Record Uint8Array
  any bigint boolean never null number object string symbol undefined unknown void
  break case catch class const continue debugger default delete do else enum export extends false finally for
  function if import in instanceof new return super switch this throw true try typeof var while with yield`

/** The names of the interfaces of one entity type. */
interface EntityNames {
  readonly row: string
  readonly key: string
  readonly insert: string
}

interface TypeNames {
  readonly entities: ReadonlyMap<EntityType, EntityNames>
  readonly complexes: ReadonlyMap<ComplexType, string>
}

/** Names for interfaces of all types of a model. Where two schemas have the same name, the later gets its schema's too. */
function typeNamesOf(model: EdmModel): TypeNames {
  const used = new Set(reservedNames.trim().split(/\s+/))
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
function memberName(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : `'${name}'`
}
