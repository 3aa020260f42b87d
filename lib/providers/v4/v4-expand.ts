import type { Row } from '../../evaluation/row.js'
import { setMember } from '../../evaluation/row.js'
import type { ExpandBranch } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import { badGateway } from '../upstream/upstream-errors.js'
import type { SetOf, V4Set } from './v4-set.js'
import { v4InnerOptions } from '../upstream/query-text.js'
import type { QueryPart } from '../upstream/refused-parts.js'

/** Returns true if the V4 service can read related entities together with the entities. */
export function canExpand(branch: ExpandBranch, set: V4Set, setOf: SetOf): boolean {
  const { navigation, filter } = branch
  // Filters of single entities are not part of OData V4.
  if (filter !== undefined && !navigation.isCollection) return false
  return (
    set.service.model.navigationName(navigation) !== undefined &&
    set.service.refused.accepts(expandPart(branch, set, setOf))
  )
}

/**
 * Formats branches for `$expand`.
 *
 * @param parts receives the branches
 */
export function expandText(
  branches: readonly ExpandBranch[] | undefined,
  set: V4Set,
  setOf: SetOf,
  parts: QueryPart[],
): string | undefined {
  if (branches === undefined || branches.length === 0) return undefined
  const texts: string[] = []
  for (const branch of branches) {
    const part = expandPart(branch, set, setOf)
    parts.push(part)
    texts.push(part.option)
  }
  return texts.join()
}

/** Returns a branch as a part of a query: services can refuse paths, depths, and options within them. */
function expandPart(branch: ExpandBranch, set: V4Set, setOf: SetOf): QueryPart & { readonly option: string } {
  const forms = new Set<string>()
  const option = branchText(branch, set, setOf, forms, `expand ${set.path}`)
  return { option, text: `${set.path}?$expand=${option}`, forms }
}

/**
 * @param forms receives the path of each level, and the forms of nested options
 * @param path of the set, in forms
 */
function branchText(
  branch: ExpandBranch,
  set: V4Set,
  setOf: SetOf,
  forms: Set<string>,
  path: string,
): string {
  const { navigation, entitySet, properties, filter, orderBy, top, expand } = branch
  const target = setOf(entitySet)
  const { translator } = target
  const name = required(set.service.model.navigationName(navigation))
  const inner = `${path}/${name}`
  const parts: QueryPart[] = []
  const below = expand?.map((one) => branchText(one, target, setOf, forms, inner)) ?? []
  const order = orderBy && required(translator.order(orderBy))
  const options = v4InnerOptions([
    ['$select', translator.select(properties)],
    ['$filter', translator.filter(filter, parts)],
    ['$orderby', order && translator.orderText(order, parts)],
    ['$top', top],
    ['$expand', below.length === 0 ? undefined : below.join()],
  ])
  forms.add(inner)
  for (const part of parts) for (const form of part.forms) forms.add(form)
  return name + options
}

/** Returns a function that converts an entity with its nested entities in place. */
export function nestedConverter(
  branches: readonly ExpandBranch[] | undefined,
  set: V4Set,
  setOf: SetOf,
): (entity: unknown) => Row {
  if (branches === undefined || branches.length === 0) return set.convert
  const inner = branches.map((branch) => {
    const target = setOf(branch.entitySet)
    const convert = nestedConverter(branch.expand, target, setOf)
    return { name: required(set.service.model.navigationName(branch.navigation)), branch, target, convert }
  })
  return (entity) => {
    const row = set.convert(entity) as Record<string, unknown>
    for (const { name, branch, target, convert } of inner) {
      const { navigation, top = Number.POSITIVE_INFINITY } = branch
      const value = row[name]
      if (value === undefined) continue
      const converted = navigation.isCollection
        ? nestedRows(row, name, target, top, convert)
        : value === null
          ? null
          : convert(value)
      if (converted === undefined) delete row[navigation.name]
      else setMember(row, navigation.name, converted)
    }
    return row
  }
}

/** Converts nested entities. @returns undefined if the service has more of them than it sent: then they are read alone */
function nestedRows(
  row: Record<string, unknown>,
  name: string,
  target: V4Set,
  top: number,
  convert: (entity: unknown) => Row,
): readonly Row[] | undefined {
  const value = row[name]
  if (!Array.isArray(value)) throw badGateway(`The V4 service sent no collection of '${target.path}'.`)
  if (row[`${name}@odata.nextLink`] !== undefined && value.length < top) return undefined
  for (let index = 0; index < value.length; index++) value[index] = convert(value[index])
  return value.length > top ? (value.slice(0, top) as readonly Row[]) : (value as readonly Row[])
}
