import type { ExpandBranch } from '../../provider/provider.js'
import { required } from '../../util/required.js'
import { v4InnerOptions } from '../upstream/query-text.js'
import type { QueryTranslator } from '../upstream/query-translator.js'
import type { QueryPart } from '../upstream/refused-parts.js'
import { v4Select } from './query/v4-select.js'
import type { V4Model } from './v4-model.js'

/** Returns the translator of the set with a path in the V2 model. */
type TranslatorOf = (path: string) => QueryTranslator

/** A branch of `$expand` as a part of a query. */
export interface ExpandPart extends QueryPart {
  readonly option: string
}

/**
 * Returns a branch as a part of a query: services can refuse paths, depths, and options within them.
 *
 * @param set path of the set in the V2 model
 * @returns undefined if the V4 service cannot read related entities together with the entities
 */
export function v4ExpandPart(
  branch: ExpandBranch,
  set: string,
  model: V4Model,
  translatorOf: TranslatorOf,
): ExpandPart | undefined {
  const { navigation, filter } = branch
  // Filters of single entities are not part of OData V4.
  if (filter !== undefined && !navigation.isCollection) return undefined
  if (model.navigationName(navigation) === undefined) return undefined
  const forms = new Set<string>()
  const option = branchText(branch, model, translatorOf, forms, `expand ${set}`)
  return { option, text: `${set}?$expand=${option}`, forms }
}

/**
 * @param forms receives the path of each level, and the forms of nested options
 * @param path of the set, in forms
 */
function branchText(
  { navigation, entitySet, properties, filter, orderBy, top, expand = [] }: ExpandBranch,
  model: V4Model,
  translatorOf: TranslatorOf,
  forms: Set<string>,
  path: string,
): string {
  const translator = translatorOf(entitySet)
  const name = required(model.navigationName(navigation))
  const inner = `${path}/${name}`
  const parts: QueryPart[] = []
  const below = expand.map((one) => branchText(one, model, translatorOf, forms, inner))
  const order = orderBy && required(translator.order(orderBy))
  const options = v4InnerOptions([
    ['$select', v4Select(properties, model, entitySet)],
    ['$filter', translator.filter(filter, parts)],
    ['$orderby', order && translator.orderText(order, parts)],
    ['$top', top],
    ['$expand', below.length === 0 ? undefined : below.join()],
  ])
  forms.add(inner)
  for (const part of parts) for (const form of part.forms) forms.add(form)
  return name + options
}
