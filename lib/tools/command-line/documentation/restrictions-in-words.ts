import type { EdmModel, EntitySet } from '../../../edm/edm-model.js'
import { sapRestrictionsOf } from '../../../edm/sap-annotations.js'
import { code } from './markdown.js'

/** What the annotations of a model forbid clients to do with a set: `create, delete`. */
export function restrictionsInWords(model: EdmModel, set: EntitySet): string {
  const found = sapRestrictionsOf(model)?.sets.get(set)
  if (found === undefined) return ''
  const all: readonly (readonly [boolean, string])[] = [
    [found.notAddressable, 'read it directly'],
    [found.notCreatable, 'create'],
    [found.notUpdatable, 'update'],
    [found.notDeletable, 'delete'],
    [found.notPageable, 'page'],
    [found.notTopable, 'use `$top`'],
    [found.notCountable, 'count'],
    [found.notSearchable, 'search'],
    [found.requiresFilter, 'read without `$filter`'],
    [
      found.requiredInFilter.length > 0,
      `leave ${found.requiredInFilter.map(code).join(', ')} out of \`$filter\``,
    ],
  ]
  return all.flatMap(([is, words]) => (is ? [words] : [])).join(', ')
}
