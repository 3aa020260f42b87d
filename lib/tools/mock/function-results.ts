import { noAnnotations } from '../../edm/annotations.js'
import type { FunctionImport } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { valueFor } from './property-value.js'
import { Random } from './random.js'
import { randomSubject } from './words.js'

/** The maximum length of a generated collection. */
const MAX_VALUES = 5
const plainProperty = {
  kind: 'Property',
  nullable: false,
  isKey: false,
  feedMappings: [],
  annotations: noAnnotations,
} as const

/**
 * Generates a result of a function import: existing entities, else values of its return type. Equal calls return equal
 * results.
 *
 * @param rows of the entity set of the function
 * @returns null without an entity, undefined for a function without result
 */
export function generatedResult(
  functionImport: FunctionImport,
  parameters: Row,
  rows: readonly Row[],
): unknown {
  const { returnType, path } = functionImport
  if (returnType === undefined) return undefined
  const { type, isCollection } = returnType
  if (!isPrimitive(type) && type.kind === 'EntityType') {
    const { names, types } = keyShape(type.key)
    const text = keyText(parameters, names, types)
    const wanted = rows.find((row) => text !== undefined && keyText(row, names, types) === text)
    if (isCollection) return wanted === undefined ? rows.slice(0, MAX_VALUES) : [wanted]
    return wanted ?? rows[0] ?? null
  }
  const said = Object.entries(parameters).map(([name, value]) => `${name}=${String(value)}`)
  const random = new Random(`${path}?${said.join('&')}`)
  const property = { ...plainProperty, name: functionImport.name, type }
  const value = (): unknown => valueFor(property, functionImport, randomSubject(random), random)
  return isCollection ? Array.from({ length: MAX_VALUES }, value) : value()
}
