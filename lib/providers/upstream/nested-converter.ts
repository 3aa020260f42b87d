import { withoutNavigation } from '../../evaluation/evaluation-context.js'
import { RowOrder } from '../../evaluation/order.js'
import type { Row } from '../../evaluation/row.js'
import { setMember } from '../../evaluation/row.js'
import type { ExpandBranch } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import type { PageContent } from './upstream-protocol.js'
import type { UpstreamService } from './upstream-service.js'
import { invalidContent } from './upstream-errors.js'

/** Returns a function that converts an entity with its nested entities in place. */
export function nestedConverter(
  branches: readonly ExpandBranch[],
  set: string,
  service: UpstreamService,
): (entity: unknown) => Row {
  const { model, protocol } = service
  const convertEntity = model.converterOf(set)
  if (branches.length === 0) return convertEntity
  const inner = branches.map((branch) => {
    const { navigation, entitySet, expand = [], orderBy } = branch
    const isSorted = protocol.sortsNested || orderBy === undefined
    return {
      branch,
      name: required(model.navigationName(navigation)),
      order: isSorted ? undefined : new RowOrder(orderBy, model.entityType(entitySet), withoutNavigation),
      convert: nestedConverter(expand, entitySet, service),
    }
  })
  return (entity) => {
    const row = convertEntity(entity) as Record<string, unknown>
    for (const { branch, name, order, convert } of inner) {
      const value = row[name]
      if (value === undefined) continue
      let converted: unknown = value
      if (branch.navigation.isCollection) {
        const page = protocol.nestedPageOf(row, name)
        const isWhole = page.link === undefined || (protocol.sortsNested && hasTop(page, branch))
        converted = isWhole ? nestedRows(page, branch, order, convert) : undefined
      } else if (value !== null) converted = convert(value)
      setMember(row, branch.navigation.name, converted)
    }
    return row
  }
}

/** Returns true if there are as many entities as requested. Otherwise, they are read alone. */
function hasTop({ value }: PageContent, { top }: ExpandBranch): boolean {
  return top !== undefined && Array.isArray(value) && value.length >= top
}

function nestedRows(
  { value }: PageContent,
  { entitySet, top = Number.POSITIVE_INFINITY }: ExpandBranch,
  order: RowOrder | undefined,
  convert: (entity: unknown) => Row,
): readonly Row[] {
  if (!Array.isArray(value)) throw invalidContent(`sent no collection of '${entitySet}'.`)
  for (let index = 0; index < value.length; index++) value[index] = convert(value[index])
  const rows = value as Row[]
  if (order !== undefined) {
    const keys = new Map(rows.map((row) => [row, order.keyOf(row)]))
    rows.sort((a, b) => order.compareKeys(keys.get(a) ?? [], keys.get(b) ?? []))
  }
  return rows.length > top ? rows.slice(0, top) : rows
}
