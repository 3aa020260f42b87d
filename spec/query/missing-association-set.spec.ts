import { defineModel, edm } from '../../lib/edm/define-model.js'
import type { EntitySet } from '../../lib/edm/edm-model.js'
import { bindFilter } from '../../lib/query/bind-expression.js'
import { bindProjection } from '../../lib/query/bind-projection.js'
import { bindResourcePath } from '../../lib/query/bind-resource-path.js'
import { parseFilter } from '../../lib/uri/parse-expression.js'
import { parseQueryOptions } from '../../lib/uri/parse-query-options.js'
import { errorOf } from '../support/error-of.js'

/** An association that no association set connects to entity sets. */
const model = defineModel({
  namespace: 'M',
  entityTypes: {
    A: {
      key: ['ID'],
      properties: { ID: edm.Int32() },
      navigationProperties: { B: { relationship: 'AB', fromRole: 'From', toRole: 'To' } },
    },
  },
  associations: {
    AB: { ends: { From: { type: 'A', multiplicity: '*' }, To: { type: 'A', multiplicity: '0..1' } } },
  },
  // Two sets are possible; the library must not choose one.
  entityContainer: { entitySets: { As: { entityType: 'A' }, Others: { entityType: 'A' } } },
})

function onlySet(): EntitySet {
  const set = model.defaultContainer.entitySet('As')
  if (set === undefined) throw new Error('The model has a set.')
  return set
}

const set = onlySet()
const message = "the model does not define the entity set of 'B'"

describe('A navigation property without an association set', () => {
  it.each(['B', '$links/B'])('MUST respond with 501 in the path As(1)/%s', (rest) => {
    const segments = ['As(1)', ...rest.split('/')]
    expect(errorOf(() => bindResourcePath(segments, model, parseQueryOptions('')))).toMatchObject({
      code: 'NotImplemented',
      status: 501,
      message: "The model does not define the entity set of 'B'.",
    })
  })

  it('MUST respond with 400 in $expand and $filter', () => {
    const limits = { expandDepth: 5, expandPaths: 5 }
    const scope = { model, entitySet: set, entityType: set.entityType }
    const source = 'ID eq 1 or B/ID eq 1'
    for (const error of [
      errorOf(() => bindProjection(set, 'B', undefined, limits)),
      errorOf(() => bindFilter(parseFilter(source), scope, { source, label: '$filter' })),
    ]) {
      expect(error).toMatchObject({ code: 'InvalidSystemQueryOption', status: 400 })
      expect(error.message).toContain(message)
    }
  })

  it('MUST be accepted by $select', () => {
    const limits = { expandDepth: 5, expandPaths: 5 }
    expect([...(bindProjection(set, undefined, 'B', limits).selected ?? [])]).toEqual(['B'])
  })
})
