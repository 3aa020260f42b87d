import { parseFilter } from '../../lib/uri/parse-expression.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import { sapRestrictionsOf } from '../../lib/edm/sap-annotations.js'
import { bindFilter } from '../../lib/query/bind-expression.js'
import { filterRestrictionViolation } from '../../lib/query/sap-query-restrictions.js'
import { restrictedModel } from '../support/services/restricted-service.js'

const model = restrictedModel as EdmModel

function errorOf(filter: string): string | undefined {
  const [entitySet, sap] = [model.defaultContainer.entitySet('Orders'), sapRestrictionsOf(model)]
  if (entitySet === undefined || sap === undefined) throw new Error('The model has changed.')
  const scope = { model, entitySet, entityType: entitySet.entityType }
  const bound = bindFilter(parseFilter(filter), scope, { source: filter, label: '$filter' })
  return filterRestrictionViolation(bound, sap)
}

describe('sap:filter-restriction', () => {
  it.each([
    'ID gt 5 and not (ID eq 7)',
    // One value.
    'Single eq 1',
    '1 eq Single',
    'Single eq null',
    'Single eq 1 add 1',
    'Single eq 1 and ID gt 4',
    'ID gt 4 or (Single eq 1 and ID lt 9)',
    // Several values.
    "Multi eq 'a'",
    "Multi eq 'a' or Multi eq 'b' or 'c' eq Multi",
    "(Multi eq 'a' or Multi eq 'b') and ID gt 1",
    "Multi eq 'a' and ID eq 1 or Multi eq 'b' and ID eq 2",
    // A range.
    'Range eq 1',
    'Range ge 1',
    'Range le 1',
    'Range ge 1 and Range le 9',
    '1 le Range and ID eq 3 and 9 ge Range',
    '(Range ge 1 and ID eq 3) and (ID eq 4 or ID eq 5) and Range le 9',
    // Each on its own.
    "Single eq 1 and (Multi eq 'a' or Multi eq 'b') and Range ge 1 and Range le 2",
  ])('MUST allow %s', (filter) => {
    expect(errorOf(filter)).toBeUndefined()
  })

  it.each([
    [
      'Single',
      'single-value',
      ['Single ne 1', 'Single ge 1', 'Single eq 1 or Single eq 2', 'Single eq 1 and Single eq 1'],
    ],
    [
      'Single',
      'single-value',
      ['not (Single eq 1)', '(Single eq 1) eq false', 'Single add 1 eq 2', 'Single eq ID'],
    ],
    ['Single', 'single-value', ['Single eq Single', 'Single eq 1 or ID eq 1 or Single gt 5']],
    [
      'Multi',
      'multi-value',
      ["Multi eq 'a' and Multi eq 'b'", "Multi ne 'a'", "Multi ge 'a'", "startswith(Multi,'a')"],
    ],
    [
      'Multi',
      'multi-value',
      ["Multi eq 'a' or not (Multi eq 'b')", "tolower(Multi) eq 'a'", 'Multi eq Customer'],
    ],
    [
      'Multi',
      'multi-value',
      [
        "(Multi eq 'a' or ID eq 1) and (ID eq 2 or Multi eq 'b')",
        "(Multi eq 'a' and Multi eq 'b') or Multi eq 'c'",
      ],
    ],
    [
      'Range',
      'interval',
      ['Range gt 1', 'Range lt 1', 'Range ne 1', 'Range ge 1 or Range le 9', 'Range ge 1 and Range ge 2'],
    ],
    [
      'Range',
      'interval',
      ['Range eq 1 or Range eq 2', 'Range eq 1 and Range le 2', 'not (Range ge 1)', 'Range ge ID'],
    ],
    ['Range', 'interval', ['1 le Range and 2 le Range', 'Range ge 1 and Range le 2 and Range le 3']],
  ])("MUST reject '%s' with %s: %j", (property, restriction, filters) => {
    for (const filter of filters) {
      expect([filter, errorOf(filter)]).toEqual([filter, expect.stringContaining(`'${property}'`)])
      expect(errorOf(filter)).toContain(`sap:filter-restriction="${restriction}"`)
    }
  })

  it('MUST be applied in long filters', () => {
    const many = Array.from({ length: 400 }, (_none, index) => `Multi eq '${index}'`)
    expect(errorOf(many.join(' or '))).toBeUndefined()
    expect(errorOf([...many, "Multi gt 'x'"].join(' or '))).toContain("'Multi'")
  })
})
