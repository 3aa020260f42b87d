import type { Command } from '../command.js'
import { parseSource, parseArgs } from '../parse-args.js'
import { readModel, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'
import { titleOf } from '../source-kind.js'
import { outputOption, writeResult } from '../command.js'
import type { Annotatable } from '../../../edm/annotations.js'
import { labelOf } from '../../../edm/annotations.js'
import type {
  ComplexType,
  EdmModel,
  EntitySet,
  EntityType,
  FunctionImport,
  NavigationProperty,
  Property,
} from '../../../edm/edm-model.js'
import { entitySetsOf, functionImportsOf, isPrimitive, nameOfType } from '../../../edm/edm-model.js'
import { describeFacets, descriptionsOf, describeType, labelAndDescriptions } from '../describe-element.js'
import { anchorOf, code, escaped, table } from '../markdown.js'
import { sapRestrictionsOf } from '../../../edm/sap-annotations.js'

/** Diagrams with more types omit the properties. */
const MAX_TYPES_WITH_PROPERTIES = 30

const options = { output: outputOption, ...sourceOptions }

export const docsCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes the model of a source as Markdown: entity sets, types with their properties and navigation properties,
functions, and a Mermaid diagram.

${sourceHelp}`,
  options,
  notes: '  express-odata-v2 docs northwind.edmx --output northwind.md',
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const source = parseSource(positionals, 'Which source do you want to document?')
    const model = await readModel(source, sourceSettings(values), io)
    await writeResult(printDocumentation(model, titleOf(source)), values.output, io)
    return 0
  },
}

/** @param source the name of the source, for the introduction */
function printDocumentation(model: EdmModel, source: string): string {
  const lines = [
    `# ${escaped(model.defaultContainer.name)}`,
    '',
    `The model of ${code(source)}, OData version ${model.dataServiceVersion}.`,
    ...model.schemas.flatMap(paragraphs),
    ...paragraphs(model.defaultContainer),
    ...section('Entity sets', setsOf(model)),
    ...section('Diagram', diagramOf(model)),
    ...section(
      'Entity types',
      [...model.entityTypes.values()].flatMap((type) => entityType(type, model)),
    ),
    ...section('Complex types', [...model.complexTypes.values()].flatMap(complexType)),
    ...section('Functions', functionImportsOf(model).flatMap(functionImport)),
  ]
  return `${lines.join('\n')}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, ...lines]
}

function paragraphs(element: Annotatable): string[] {
  return descriptionsOf(element).flatMap((text) => ['', escaped(text)])
}

function describe(element: Annotatable): string {
  return labelAndDescriptions(element).map(escaped).join('. ')
}

function headingOf({ name, namespace }: ComplexType | EntityType, model: EdmModel): string {
  return model.schemas.length > 1 ? `${namespace}.${name}` : name
}

function linkTo(type: EntityType, model: EdmModel): string {
  const heading = headingOf(type, model)
  return `[${escaped(heading)}](#${anchorOf(heading)})`
}

function setsOf(model: EdmModel): string[] {
  const rows = entitySetsOf(model).map((set) => [
    code(set.path),
    linkTo(set.entityType, model),
    describe(set),
    describeRestrictions(model, set),
  ])
  const lines = table(['Entity set', 'Entity type', 'Description', 'Clients cannot'], rows)
  return lines.length === 0 ? [] : ['', ...lines]
}

function diagramOf(model: EdmModel): string[] {
  if (model.entityTypes.size === 0) return []
  return ['', 'A `+` marks key properties.', '', '```mermaid', ...classDiagram(model), '```']
}

function entityType(type: EntityType, model: EdmModel): string[] {
  const { baseType, key, abstract, openType, hasStream, declaredNavigationProperties: navigations } = type
  const label = labelOf(type)
  const facts = [
    ...(label === undefined ? [] : [escaped(label)]),
    ...(baseType === undefined ? [] : [`Derived from ${linkTo(baseType, model)}`]),
    ...(abstract ? ['Abstract: every entity is of a derived type'] : []),
    ...(openType ? ['Entities may have more properties than these'] : []),
    ...(hasStream ? ['Has a media resource, `$value`'] : []),
    ...(baseType === undefined ? [`Key: ${key.map(({ name }) => code(name)).join(', ')}`] : []),
  ]
  const rows = navigations.map((one) => navigationRow(one, model))
  const columns = ['Navigation property', 'To', 'Multiplicity', 'Foreign key', 'On delete', 'Description']
  return [
    '',
    `### ${escaped(headingOf(type, model))}`,
    '',
    `${facts.join('. ')}.`,
    ...paragraphs(type),
    ...propertyTable(type.declaredProperties),
    ...(rows.length === 0 ? [] : ['', ...table(columns, rows)]),
  ]
}

function complexType(type: ComplexType): string[] {
  const label = labelOf(type)
  return [
    '',
    `### ${escaped(type.name)}`,
    ...(label === undefined ? [] : ['', escaped(label)]),
    ...paragraphs(type),
    ...propertyTable(type.properties),
  ]
}

function propertyTable(properties: readonly Property[]): string[] {
  if (properties.length === 0) return []
  const rows = properties.map((one) => [
    code(one.name),
    escaped(nameOfType(one.type)),
    one.nullable && !one.isKey ? 'yes' : 'no',
    describeFacets(one).map(escaped).join(', '),
    describe(one),
  ])
  return ['', ...table(['Property', 'Type', 'Null', 'Facets', 'Description'], rows)]
}

function navigationRow(one: NavigationProperty, model: EdmModel): string[] {
  const { name, targetType, fromEnd, toEnd, association } = one
  return [
    code(name),
    linkTo(targetType, model),
    `${fromEnd.multiplicity} to ${toEnd.multiplicity}`.replaceAll('*', '\\*'),
    foreignKey(association.referentialConstraint),
    fromEnd.onDelete === 'Cascade' ? 'deleted with it' : '',
    describe(one),
  ]
}

function foreignKey(constraint: NavigationProperty['association']['referentialConstraint']): string {
  if (constraint === undefined) return ''
  const { dependent, dependentProperties, principalProperties } = constraint
  const pairs = dependentProperties.map(({ name }, index) => {
    const principal = principalProperties[index]?.name ?? ''
    return `${code(`${dependent.type.name}.${name}`)} is ${code(principal)}`
  })
  return pairs.join(', ')
}

function functionImport(one: FunctionImport): string[] {
  const { path, httpMethod, parameters, returnType, entitySet } = one
  const rows = parameters.map((parameter) => [
    code(parameter.name),
    escaped(describeType(parameter)),
    parameter.nullable ? 'yes' : 'no',
    describe(parameter),
  ])
  const result = returnType && escaped(nameOfReturn(returnType))
  const from = entitySet === undefined ? '' : ` of ${code(entitySet.path)}`
  const description = describe(one)
  return [
    '',
    `### ${escaped(path)}`,
    '',
    `Called by ${httpMethod ?? 'GET or POST'}, returns ${result === undefined ? 'nothing' : `${result}${from}`}.${description === '' ? '' : ` ${description}.`}`,
    ...(rows.length === 0 ? [] : ['', ...table(['Parameter', 'Type', 'Null', 'Description'], rows)]),
  ]
}

function nameOfReturn({ type, isCollection }: NonNullable<FunctionImport['returnType']>): string {
  const name = isPrimitive(type) ? type : type.qualifiedName
  return isCollection ? `Collection(${name})` : name
}

/** Lists what the annotations of a model forbid for an entity set: `create, delete`. */
function describeRestrictions(model: EdmModel, set: EntitySet): string {
  const found = sapRestrictionsOf(model)?.sets.get(set)
  if (found === undefined) return ''
  const all: readonly (readonly [boolean, string])[] = [
    [found.notAddressable, 'read it directly'],
    [found.notCreatable, 'create'],
    [found.notUpdatable, 'update'],
    [found.notDeletable, 'delete'],
    [found.notTopable, 'use `$top`'],
    [found.notCountable, 'count'],
    [found.notSearchable, 'search'],
    [found.requiresFilter, 'read without `$filter`'],
    [
      found.requiredInFilter.length > 0,
      `leave ${found.requiredInFilter.map(code).join(', ')} out of \`$filter\``,
    ],
  ]
  return all.flatMap(([is, words]) => (is ? [words] : [])).join(', ')
}

/** Formats the entity types and their associations as a Mermaid class diagram. */
function classDiagram(model: EdmModel): string[] {
  const types = [...model.entityTypes.values()]
  const ids = new Map(types.map((type, index) => [type, idOf(type, index)] as const))
  const id = (type: EntityType): string => ids.get(type) ?? type.name
  const hasProperties = types.length <= MAX_TYPES_WITH_PROPERTIES
  return [
    'classDiagram',
    ...types.flatMap((type) => [
      `  class ${id(type)}["${type.name}"]${hasProperties && type.declaredProperties.length > 0 ? ' {' : ''}`,
      ...(hasProperties ? propertiesOf(type) : []),
    ]),
    ...types.flatMap((type) =>
      type.baseType === undefined ? [] : [`  ${id(type.baseType)} <|-- ${id(type)}`],
    ),
    ...types.flatMap((type) =>
      type.declaredNavigationProperties
        .filter(isDrawn)
        .map((one) => `  ${id(type)} ${lineOf(one)} ${id(one.targetType)} : ${linkLabel(one)}`),
    ),
  ]
}

/** Returns an identifier without characters that are special in Mermaid. */
function idOf({ name }: EntityType, index: number): string {
  return /^[A-Za-z]\w*$/.test(name) ? `${name}_${String(index + 1)}` : `Type_${String(index + 1)}`
}

function propertiesOf({ declaredProperties }: EntityType): string[] {
  if (declaredProperties.length === 0) return []
  return [
    ...declaredProperties.map(({ name, type, isKey }) => {
      const short = nameOfType(type).replace(/^.*\./, '')
      return `    ${isKey ? '+' : ''}${short} ${name}`
    }),
    '  }',
  ]
}

/** Returns true for one of the two navigation properties of an association, which are drawn as one line. */
function isDrawn({ partner, fromEnd, association }: NavigationProperty): boolean {
  return partner === undefined || fromEnd === association.ends[0]
}

function lineOf({ fromEnd, toEnd, partner }: NavigationProperty): string {
  return `"${fromEnd.multiplicity}" ${partner === undefined ? '-->' : '--'} "${toEnd.multiplicity}"`
}

function linkLabel({ name, partner }: NavigationProperty): string {
  return partner === undefined ? name : `${name} / ${partner.name}`
}
