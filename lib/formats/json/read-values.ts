import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { setMember } from '../../evaluation/row.js'
import { unknownMember, valueMismatch } from '../payload-faults.js'
import { checkComplexType } from '../payload-types.js'
import type { ReadValues } from '../payload-values.js'
import { nullMembers } from '../payload-values.js'
import { textExamples } from '../read-text.js'
import { isControlName, isObject, metadataOf, shownJson } from './metadata.js'
import type { JsonValue } from './parse-json.js'
import { simpleValue } from './read-simple-values.js'

const number = 'as a number without quotes'

/** What to write for a value of each type. */
const examples: Readonly<Record<PrimitiveTypeName, string>> = {
  ...textExamples,
  'Edm.Byte': `${textExamples['Edm.Byte']} ${number}`,
  'Edm.SByte': `${textExamples['Edm.SByte']} ${number}`,
  'Edm.Int16': `${textExamples['Edm.Int16']} ${number}`,
  'Edm.Int32': `${textExamples['Edm.Int32']} ${number}`,
  'Edm.Boolean': 'true or false without quotes',
  'Edm.DateTime': `'/Date(1338282808000)/' or ${textExamples['Edm.DateTime']}`,
  'Edm.DateTimeOffset': `'/Date(1338282808000+0000)/' or ${textExamples['Edm.DateTimeOffset']}`,
  'Edm.String': 'a string',
}

/**
 * Reads the value of a property.
 *
 * @param prefix path of what has the property, with a slash at the end unless it is empty
 */
export function readValue(
  property: Property,
  json: JsonValue,
  prefix: string,
  ignoreUnknown: boolean,
): unknown {
  const { name, type } = property
  if (!isPrimitive(type)) return readComplex(type, json, prefix + name, ignoreUnknown)
  if (json === null) return null
  const value = simpleValue(type, json)
  if (value === undefined) throw valueMismatch(prefix + name, type, examples[type], shownJson(json))
  return value
}

/** @spec MS-ODATA 2.2.6.3.5 (complex values in verbose JSON) */
function readComplex(type: ComplexType, json: JsonValue, path: string, ignoreUnknown: boolean): ReadValues {
  if (json === null) return nullMembers(type)
  if (!isObject(json)) throw valueMismatch(path, type, 'an object with its members', shownJson(json))
  const typeName = metadataOf(json, path).type
  if (typeName !== undefined) checkComplexType(type, typeName, path)
  const values: ReadValues = {}
  for (const [name, member] of json) {
    if (isControlName(name, type)) continue
    const property = type.property(name)
    if (property !== undefined)
      setMember(values, name, readValue(property, member, `${path}/`, ignoreUnknown))
    else if (!ignoreUnknown) throw unknownMember(`${path}/`, name, type)
  }
  return values
}
