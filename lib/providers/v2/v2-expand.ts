import type { EntityType } from '../../edm/edm-model.js'
import type { Row } from '../../evaluation/row.js'
import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import { RowOrder } from '../../evaluation/order.js'
import type { ExpandBranch } from '../../provider/provider.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { isRecord } from '../../util/is-record.js'
import { invalidContent } from '../upstream/upstream-errors.js'
import type { V2Model } from './v2-model.js'

/** Returns true if the service can read related entities together with the entities. Without filter, V2 has no options. */
export function canExpand({ filter, navigation }: ExpandBranch, type: EntityType): boolean {
  return (
    filter === undefined &&
    [type, ...type.derivedTypes].some((one) => one.navigationProperty(navigation.name))
  )
}

/** Returns the paths for `$expand`. */
export function expandPaths(branches: readonly ExpandBranch[], prefix = ''): readonly string[] {
  return branches.flatMap(({ navigation, expand = [] }) => {
    const path = prefix + percentEncode(navigation.name)
    return expand.length === 0 ? [path] : expandPaths(expand, `${path}/`)
  })
}

/** Returns the paths for `$select`; undefined if everything is selected. */
export function selectPaths(
  properties: ReadonlySet<string> | undefined,
  branches: readonly ExpandBranch[],
  type: EntityType,
): readonly string[] | undefined {
  const paths = [...pathsOf(properties, branches, type, '')]
  return paths.every((path) => path === '*' || path.endsWith('/*')) ? undefined : paths
}

function* pathsOf(
  properties: ReadonlySet<string> | undefined,
  branches: readonly ExpandBranch[],
  type: EntityType,
  prefix: string,
): Generator<string> {
  if (properties === undefined) yield `${prefix}*`
  else {
    const names = new Set([...type.key.map(({ name }) => name), ...properties])
    for (const name of names) if (isKnown(name, type)) yield prefix + name
  }
  for (const { navigation, properties: inner, expand = [] } of branches)
    yield* pathsOf(inner, expand, navigation.targetType, `${prefix}${navigation.name}/`)
}

function isKnown(name: string, type: EntityType): boolean {
  return [type, ...type.derivedTypes].some((one) => one.property(name) !== undefined)
}

/** Returns a function that converts an entity with its nested entities in place. */
export function nestedConverter(
  branches: readonly ExpandBranch[],
  type: EntityType,
  model: V2Model,
): (entity: unknown) => Row {
  const converter = model.converters.of(type)
  if (branches.length === 0) return (entity) => converter.convert(entity)
  const inner = branches.map((branch) => {
    const { navigation, expand = [], orderBy } = branch
    const target = model.set(branch.entitySet).entityType
    const order = orderBy && new RowOrder(orderBy, target, withoutNavigation)
    return { branch, name: navigation.name, order, convert: nestedConverter(expand, target, model) }
  })
  return (entity) => {
    const row = converter.convert(entity) as Record<string, unknown>
    for (const { branch, name, order, convert } of inner) {
      const value = row[name]
      if (value === undefined) continue
      if (!branch.navigation.isCollection) row[name] = value === null ? null : convert(value)
      else row[name] = nestedRows(value, branch, order, convert)
    }
    return row
  }
}

/** Converts nested entities. @returns undefined if the service has more of them than it sent: then they are read alone */
function nestedRows(
  value: unknown,
  { entitySet, top = Number.POSITIVE_INFINITY }: ExpandBranch,
  order: RowOrder | undefined,
  convert: (entity: unknown) => Row,
): readonly Row[] | undefined {
  const entities = isRecord(value) ? value.results : value
  if (!Array.isArray(entities)) throw invalidContent(`sent no collection of '${entitySet}'.`)
  if (isRecord(value) && value.__next !== undefined) return undefined
  const rows = entities.map(convert)
  if (order !== undefined) {
    const keys = new Map(rows.map((row) => [row, order.keyOf(row)]))
    rows.sort((a, b) => order.compareKeys(keys.get(a) ?? [], keys.get(b) ?? []))
  }
  return rows.length > top ? rows.slice(0, top) : rows
}
