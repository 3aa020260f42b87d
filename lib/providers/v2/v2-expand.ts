import type { EntityType } from '../../edm/edm-model.js'
import type { ExpandBranch } from '../../provider/provider.js'
import { percentEncode } from '../../uri/percent-encoding.js'

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
