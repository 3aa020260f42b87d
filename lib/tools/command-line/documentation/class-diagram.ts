import type { EdmModel, EntityType, NavigationProperty } from '../../../edm/edm-model.js'
import { nameOfType } from '../../../edm/edm-model.js'

/** With more types than this a diagram shows how they are connected, and not what is in them. */
const mostWithProperties = 30

/** The entity types of a model and what connects them, in the language of Mermaid. */
export function classDiagram(model: EdmModel): string[] {
  const types = [...model.entityTypes.values()]
  const ids = new Map(types.map((type, index) => [type, idOf(type, index)] as const))
  const id = (type: EntityType): string => ids.get(type) ?? type.name
  const hasProperties = types.length <= mostWithProperties
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
        .map((one) => `  ${id(type)} ${lineOf(one)} ${id(one.targetType)} : ${labelOf(one)}`),
    ),
  ]
}

/** Names may have characters that mean something else there. */
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

/** Two navigation properties that lead both ways are one line. */
function isDrawn({ partner, fromEnd, association }: NavigationProperty): boolean {
  return partner === undefined || fromEnd === association.ends[0]
}

function lineOf({ fromEnd, toEnd, partner }: NavigationProperty): string {
  return `"${fromEnd.multiplicity}" ${partner === undefined ? '-->' : '--'} "${toEnd.multiplicity}"`
}

function labelOf({ name, partner }: NavigationProperty): string {
  return partner === undefined ? name : `${name} / ${partner.name}`
}
