import { fc } from '../support/random.js'
import type { Json } from './contract-service.js'
import type { PlainState, Step } from './plain-workshop.js'
import { changeOf, emptyState, kindsOfSteps, kindsWithoutLinkTables, readable } from './plain-workshop.js'
import type { WriteSubject } from './write-contract.js'
import type { WriteService } from './write-service.js'

/** The number of entities of each kind: small, so that changes conflict. */
const entities = 4

/** Sequences of changes, made to the service and to maps, which must come to the same after each. */
export function describeRandomWrites({ service, has, numRuns }: WriteSubject): void {
  const kinds = has('link tables') ? kindsOfSteps : kindsWithoutLinkTables
  const number = fc.nat({ max: entities - 1 })
  const step: fc.Arbitrary<Step> = fc.record({ kind: fc.nat({ max: kinds - 1 }), one: number, other: number })
  const requests = fc.array(step, { minLength: 10, maxLength: 20 })
  const changeSets = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 12 })

  it('MUST lead to the expected state, one by one', () =>
    fc.assert(
      fc.asyncProperty(requests, async (steps) => {
        const base = service().freeKey()
        const state = emptyState()
        for (const one of steps) {
          const { method, path, json, status, make } = changeOf(one, state, base)
          const response = await service().send(method, path, json === undefined ? {} : { json })
          expect([method, path, json, response.status]).toEqual([method, path, json, status])
          if (status < 300) make()
          expect(await stateOf(service(), base, has('link tables'))).toEqual(readable(state))
        }
      }),
      { numRuns },
    ))

  it('MUST lead to the expected state in change sets, each as a whole or not at all', () =>
    fc.assert(
      fc.asyncProperty(changeSets, async (sets) => {
        const base = service().freeKey()
        let state = emptyState()
        for (const steps of sets) {
          const after = structuredClone(state)
          const statuses: number[] = []
          const changes = steps.map((one) => {
            const { method, path, json, status, make } = changeOf(one, after, base)
            if (status < 300) make()
            statuses.push(status)
            return { method, path, json }
          })
          const error = statuses.find((status) => status >= 400)
          const [response = []] = await service().batch(changes)
          const got = 'status' in response ? response.status : response.map(({ status }) => status)
          expect([changes, got]).toEqual([changes, error ?? statuses])
          if (error === undefined) state = after
          expect(await stateOf(service(), base, has('link tables'))).toEqual(readable(state))
        }
      }),
      { numRuns },
    ))
}

/** Reads the state of the service in the form of {@link readable}. */
async function stateOf(service: WriteService, base: number, withParts: boolean): Promise<unknown> {
  const range = (key: string): string =>
    encodeURIComponent(`${key} ge ${base} and ${key} lt ${base + entities}`)
  const state: PlainState = emptyState()
  const [categories, products, orders] = await Promise.all([
    service.entity(`Categories?$filter=${range('ID')}`),
    service.entity(`Products?$filter=${range('ID')}${withParts ? '&$expand=Parts' : ''}`),
    service.entity(`Orders?$filter=${range('ID')}&$expand=Lines`),
  ])
  for (const { ID, Name, ParentID } of rowsOf(categories)) {
    state.categories.set(Number(ID), { name: Name as string | null, parent: ParentID as number | null })
  }
  for (const { ID, CategoryID, Parts } of rowsOf(products)) {
    const parts = withParts ? rowsOf(Parts as Json).map((part) => Number(part.ID)) : []
    state.products.set(Number(ID), { category: CategoryID as number | null, parts: new Set(parts) })
  }
  for (const { ID, Lines } of rowsOf(orders)) {
    const lines = rowsOf(Lines as Json).map(({ No, Text }) => [Number(No), Text as string | null] as const)
    state.orders.set(Number(ID), new Map(lines))
  }
  return readable(state)
}

function rowsOf({ results = [] }: Json): readonly Json[] {
  return results
}
