import type { ComplexType, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { ofOwnMember } from '../../evaluation/row.js'
import { preserveSpace, textReader } from './xml-text.js'

/** Writes the element of one property of a row. */
export type WriteProperty = (row: Row) => string

/** Paths of properties that are shown elsewhere in the entry and not in its content: `Dims/Unit`. */
export type ShownElsewhere = ReadonlySet<string>

const nowhere: ShownElsewhere = new Set()

/**
 * The elements of properties within `m:properties`, in the order of the model.
 *
 * @param elsewhere properties whose value is left out, unless it is null: only here null can be told from nothing
 * @spec MS-ODATA 2.2.6.2.2 (entity type as an Atom entry)
 */
export function propertyWriters(
  properties: readonly Property[],
  elsewhere: ShownElsewhere = nowhere,
  path = '',
): readonly WriteProperty[] {
  return properties.map((property) =>
    ofOwnMember(property.name, propertyWriter(property, elsewhere, path + property.name)),
  )
}

function propertyWriter(property: Property, elsewhere: ShownElsewhere, path: string): WriteProperty {
  const { name, type } = property
  if (!isPrimitive(type)) return complexWriter(name, type, elsewhere, path)
  const attribute = type === 'Edm.String' ? '' : ` m:type="${type}"`
  const whenNull = `<d:${name}${attribute} m:null="true"/>`
  const read = textReader(property)
  if (elsewhere.has(path)) return (row) => (read(row) === undefined ? whenNull : '')
  const opening = `<d:${name}${attribute}>`
  const closing = `</d:${name}>`
  if (type !== 'Edm.String') {
    return (row) => {
      const text = read(row)
      return text === undefined ? whenNull : opening + text + closing
    }
  }
  return (row) => {
    const text = read(row)
    if (text === undefined) return whenNull
    const space = preserveSpace(text)
    return space === '' ? opening + text + closing : `<d:${name}${space}>${text}${closing}`
  }
}

/** A complex value is never null: without one, all its members are. */
function complexWriter(
  name: string,
  type: ComplexType,
  elsewhere: ShownElsewhere,
  path: string,
): WriteProperty {
  const opening = `<d:${name} m:type="${type.qualifiedName}">`
  const closing = `</d:${name}>`
  const members = propertyWriters(type.properties, elsewhere, `${path}/`)
  return (row) => opening + writeAll(members, (row[name] as Row | null | undefined) ?? nothing) + closing
}

const nothing: Row = {}

export function writeAll(writers: readonly WriteProperty[], row: Row): string {
  let text = ''
  for (const write of writers) text += write(row)
  return text
}
