import type { EntitySet, EntityType, Property, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import { keyShape, keyText } from '../../evaluation/key-text.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'
import { isRecord } from '../../util/is-record.js'

/** Members of drafts, which files of other mock servers omit: without them, a row is the active entity. */
const draftMembers: Readonly<Record<string, boolean>> = {
  IsActiveEntity: true,
  HasActiveEntity: false,
  HasDraftEntity: false,
}

const INITIAL_GUID = '00000000-0000-0000-0000-000000000000'

/**
 * Adapts rows that other mock servers accept to the model: removes unknown members and rows with repeated keys, replaces
 * empty strings of other types, and adds missing members of drafts.
 *
 * @returns the rows, and a notice for each kind of removed content
 */
export function adaptRows(
  rows: readonly Row[],
  { path, entityType }: EntitySet,
): { readonly rows: readonly Row[]; readonly notices: readonly string[] } {
  const unknown = new Map<string, string>()
  const repeated: string[] = []
  const { names, types } = keyShape(entityType.key)
  const seen = new Set<string>()
  const kept: Row[] = []
  for (const [index, given] of rows.entries()) {
    const row = isRecord(given) ? adaptEntity(given, typeOfRow(given, entityType), unknown) : given
    const key = isRecord(row) ? keyText(row, names, types) : undefined
    if (key !== undefined && seen.has(key)) repeated.push(`${path}[${String(index)}]`)
    else kept.push(row)
    if (key !== undefined) seen.add(key)
  }
  const notices: string[] = []
  if (unknown.size > 0) {
    const hints = [...new Set(unknown.values())].join('')
    notices.push(
      `the model has no property ${listOf([...unknown.keys()].map((name) => `'${name}'`))}.${hints}`,
    )
  }
  if (repeated.length > 0) notices.push(`an earlier row has the same key as ${listOf(repeated)}.`)
  return { rows: kept, notices }
}

const MAX_LISTED = 10

function listOf(names: readonly string[]): string {
  const more = names.length - MAX_LISTED
  return names.slice(0, MAX_LISTED).join(', ') + (more > 0 ? ` and ${String(more)} more` : '')
}

function adaptEntity(row: Row, type: EntityType, unknown: Map<string, string>): Row {
  const adapted = adaptMembers(row, type, unknown, '', (name) => {
    return name === '$type' || name === '$media' || type.navigationProperty(name) !== undefined
  })
  const missing = Object.entries(draftMembers).filter(([name]) => {
    const property = type.property(name)
    return property?.type === 'Edm.Boolean' && !property.nullable && adapted[name] === undefined
  })
  return missing.length === 0 ? adapted : { ...adapted, ...Object.fromEntries(missing) }
}

function adaptMembers(
  row: Row,
  type: StructuralType,
  unknown: Map<string, string>,
  prefix: string,
  isOther: (name: string) => boolean,
): Row {
  const members: [string, unknown][] = []
  for (const [name, value] of Object.entries(row)) {
    const property = type.property(name)
    if (property !== undefined)
      members.push([name, adaptValue(property, value, unknown, `${prefix}${name}/`)])
    else if (isOther(name)) members.push([name, value])
    else {
      const others = type.properties.map((one) => one.name).filter((one) => !Object.hasOwn(row, one))
      unknown.set(`${prefix}${name}`, didYouMean(name, others))
    }
  }
  return Object.fromEntries(members)
}

function adaptValue(
  { type, nullable }: Property,
  value: unknown,
  unknown: Map<string, string>,
  prefix: string,
): unknown {
  if (!isPrimitive(type))
    return isRecord(value) ? adaptMembers(value, type, unknown, prefix, () => false) : value
  if (value !== '' || type === 'Edm.String' || type === 'Edm.Binary') return value
  if (nullable) return null
  return type === 'Edm.Guid' ? INITIAL_GUID : value
}
