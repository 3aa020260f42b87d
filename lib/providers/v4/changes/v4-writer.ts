import type { V4TypeMapping } from '../../../csdl/v4/v4-mapping.js'
import { ODataError } from '../../../errors/odata-error.js'
import type { Row } from '../../../evaluation/row.js'
import { setMember } from '../../../evaluation/row.js'
import { required } from '../../../util/required.js'
import { UpstreamWriter } from '../../upstream/upstream-writer.js'
import type { V4Model } from '../v4-model.js'
import { toV4Object } from '../v4-rows.js'
import type { V4Service } from '../v4-service.js'

/** Creates the writer of an entity set of a V4 service. @param path of the entity set in the V2 model */
export function v4Writer(service: V4Service, path: string): UpstreamWriter {
  const { model } = service
  const { type, contained } = model.set(path)
  // The service decides which values are required.
  const all: ReadonlySet<string> = new Set(type.properties.keys())
  const needed: ReadonlySet<string> = new Set(
    [...type.properties].flatMap(([name, { nullable }]) => (nullable ? [] : [name])),
  )
  return new UpstreamWriter(service, path, {
    bodyOf: (values) => bodyOf(values, type, model),
    storeDefaults: (isReplacement) => (isReplacement === true ? needed : all),
    // Services may ignore entities that are nested under other associations.
    insertsRelated: ({ name, fromEnd }) =>
      type.navigations.has(name) && (fromEnd.onDelete === 'Cascade' || contained.has(name)),
  })
}

/** Converts an entity with the entities that it contains. */
function bodyOf(values: Row, declared: V4TypeMapping, model: V4Model): object {
  const { $type, ...others } = values
  const type = typeof $type === 'string' ? model.type($type) : declared
  const body = toV4Object(others, type)
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) continue
    throw new ODataError('BadRequest', {
      message: `'${name}': the upstream service has no such values, for example a date with a time.`,
    })
  }
  for (const [name, v4Name] of type.navigations) {
    const rows = others[name]
    if (!Array.isArray(rows)) continue
    const navigation = required(model.model.entityTypes.get(type.v2Name)?.navigationProperty(name))
    const target = model.type(navigation.targetType.qualifiedName)
    const nested = (rows as readonly Row[]).map((row) => bodyOf(row, target, model))
    setMember(body, v4Name, navigation.isCollection ? nested : nested[0])
  }
  return type === declared ? body : { '@odata.type': `#${type.name}`, ...body }
}
