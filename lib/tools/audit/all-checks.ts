import type { Check } from './check.js'
import { atomFormatChecks } from './checks/atom-format.js'
import { batchChecks } from './checks/batch.js'
import { changeConditionChecks, conditionalChecks } from './checks/change-conditions.js'
import { countValueChecks } from './checks/count-value.js'
import { entityChecks, entitySetChecks } from './checks/entity-set.js'
import { errorChecks } from './checks/errors.js'
import { expandSelectChecks } from './checks/expand-select.js'
import { filterFunctionChecks } from './checks/filter-functions.js'
import { filterOperatorChecks } from './checks/filter-operators.js'
import { filterTypeChecks } from './checks/filter-types.js'
import { functionChecks } from './checks/functions.js'
import { headerChecks } from './checks/headers-version.js'
import { inlineCountChecks } from './checks/inlinecount.js'
import { jsonFormatChecks } from './checks/json-format.js'
import { keyPredicateChecks } from './checks/key-predicate.js'
import { linkChecks, navigationChecks } from './checks/navigation.js'
import { mediaChecks } from './checks/media.js'
import { metadataChecks, serviceDocumentChecks } from './checks/metadata.js'
import { pagingChecks } from './checks/paging.js'
import { propertyChecks } from './checks/properties.js'
import { queryOptionChecks } from './checks/query-options.js'
import { safetyChecks } from './checks/safety.js'
import { writeChecks } from './checks/writes.js'

/** Every check, in the order of the report. */
export const allChecks: readonly Check[] = [
  ...serviceDocumentChecks,
  ...metadataChecks,
  ...headerChecks,
  ...entitySetChecks,
  ...entityChecks,
  ...keyPredicateChecks,
  ...queryOptionChecks,
  ...filterOperatorChecks,
  ...filterTypeChecks,
  ...filterFunctionChecks,
  ...expandSelectChecks,
  ...pagingChecks,
  ...inlineCountChecks,
  ...countValueChecks,
  ...navigationChecks,
  ...linkChecks,
  ...propertyChecks,
  ...jsonFormatChecks,
  ...atomFormatChecks,
  ...functionChecks,
  ...mediaChecks,
  ...errorChecks,
  ...conditionalChecks,
  ...batchChecks,
  ...safetyChecks,
  ...writeChecks,
  ...changeConditionChecks,
]
