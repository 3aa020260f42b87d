import type { EdmModel } from '../../edm/edm-model.js'
import { compareFunctions } from './compare-functions.js'
import { compareSets } from './compare-sets.js'
import { compareTypes } from './compare-types.js'
import { ComparedModels } from './compared-models.js'
import type { ModelChange } from './model-change.js'
import { ChangeLog } from './model-change.js'

/**
 * What clients made for one model find different in another: sets, types, properties, navigation, functions, and what
 * SAP's annotations forbid. Texts for people, and annotations of other vocabularies, are not compared.
 *
 * A change is breaking when requests that were accepted may be refused, or when answers may hold what they could not
 * hold before. What is only more than before is compatible: clients must be prepared for it.
 *
 * @param before the model that clients know
 * @param after the model that they meet
 * @returns the changes in the order of the models: of the model, of types, of entity sets, of functions
 * @example
 * const changes = compareModels(readEdmx(released), model)
 * expect(changes.filter(({ breaking }) => breaking)).toEqual([])
 * @spec MC-CSDL 2.1
 */
export function compareModels(before: EdmModel, after: EdmModel): readonly ModelChange[] {
  const models = new ComparedModels(before, after)
  const log = new ChangeLog()
  compareModel(models, log)
  compareTypes(models, log)
  compareSets(models, log)
  compareFunctions(models, log)
  return log.changes
}

function compareModel({ before, after, renamed }: ComparedModels, log: ChangeLog): void {
  if (renamed !== undefined) {
    const message = `namespace ${renamed.before} became ${renamed.after}`
    log.of('Model', renamed.after).breaks(message, 'Types have other names in entities and in $metadata.')
  }
  const [from, to] = [before.dataServiceVersion, after.dataServiceVersion]
  if (from === to) return
  const element = log.of('Model', 'DataServiceVersion')
  if (to === '3.0')
    element.breaks(`version ${from} became ${to}`, 'Clients of version 2 refuse the document.')
  else element.allows(`version ${from} became ${to}`, 'Clients of version 2 read both.')
}
