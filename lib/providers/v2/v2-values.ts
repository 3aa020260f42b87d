import type { ComplexType, EntityType, NavigationProperty } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { setMember } from '../../evaluation/row.js'
import { jsonValue } from '../../formats/json/values.js'
import { isRecord } from '../../util/is-record.js'

/** Converts the given properties of an entity or complex value to verbose JSON. */
function toV2Object(values: object, type: EntityType | ComplexType): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const property = type.property(name)
    if (value === undefined) continue
    if (property === undefined) {
      const navigation = type.kind === 'EntityType' ? type.navigationProperty(name) : undefined
      if (navigation !== undefined) setMember(object, name, toV2Nested(value, navigation))
      continue
    }
    if (isPrimitive(property.type)) setMember(object, name, toV2Json(value, property.type))
    else setMember(object, name, isRecord(value) ? toV2Object(value, property.type) : null)
  }
  return object
}

/** Converts entities that are inserted together with another one. */
function toV2Nested(value: unknown, { targetType, isCollection }: NavigationProperty): unknown {
  const rows = (value as readonly Row[]).map((row) => toV2Entity(row, targetType))
  return isCollection ? rows : (rows[0] ?? null)
}

/** Converts a new entity, or changed values of one. */
export function toV2Entity({ $type, ...values }: Row, declared: EntityType): Record<string, unknown> {
  const names = Object.keys(values)
  const hasAll = (one: EntityType): boolean =>
    names.every((name) => one.property(name) !== undefined || one.navigationProperty(name) !== undefined)
  const type =
    declared.derivedTypes.find(({ qualifiedName }) => qualifiedName === $type) ??
    [declared, ...declared.derivedTypes].find(hasAll) ??
    declared
  const object = toV2Object(values, type)
  return type === declared ? object : { __metadata: { type: type.qualifiedName }, ...object }
}

/** More digits of a second than `/Date(…)/` has. */
const fineTime = /\.\d{3}0*[1-9]/

function toV2Json(value: unknown, type: PrimitiveTypeName): unknown {
  if (value === null) return null
  // Services that store such digits accept the format of ISO 8601, too.
  if (type.startsWith('Edm.DateTime') && typeof value === 'string' && fineTime.test(value)) return value
  return JSON.parse(jsonValue(type, value, { doubleAsNumber: false }))
}
