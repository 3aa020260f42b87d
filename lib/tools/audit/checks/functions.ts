import { isRecord } from '../../../util/is-record.js'
import type { EdmModel, FunctionImport } from '../../../edm/edm-model.js'
import { isPrimitive } from '../../../edm/edm-model.js'
import type { AuditRun } from '../audit-run.js'
import type { Check, Need } from '../check.js'
import { check, orElse } from '../check.js'
import { demand, demandClientError, demandMediaType, demandObject, demandStatus, shown } from '../demands.js'
import { jsonContent, jsonFeed } from '../feeds.js'
import { model } from '../needs.js'

const spec = 'MS-ODATA 2.2.3.5 (URI 10 to 14), 2.2.3.6.2 (service operation parameters)'

function functionWhere(description: string, fits: (one: FunctionImport) => boolean): Need<FunctionImport> {
  return {
    description,
    find: async (audit) => {
      const found: EdmModel | undefined = await model.find(audit)
      return found?.entityContainers.flatMap(({ functionImports }) => functionImports).find(fits)
    },
  }
}

const isReading = ({ httpMethod }: FunctionImport): boolean => httpMethod === 'GET'
const isFree = ({ parameters }: FunctionImport): boolean => parameters.every(({ nullable }) => nullable)

const freeFunction = functionWhere(
  'a function import for GET that needs no parameters',
  (one) => isReading(one) && isFree(one) && one.returnType !== undefined,
)

const boundFunction = functionWhere(
  'a function import for GET that needs a parameter',
  (one) => isReading(one) && !isFree(one),
)

const readingFunction = functionWhere('a function import for GET', isReading)

async function call(audit: AuditRun, { path }: FunctionImport): Promise<ReturnType<typeof jsonContent>> {
  return jsonContent(await audit.getJson(encodeURIComponent(path)))
}

/** Function imports that read. */
export const functionChecks: readonly Check[] = [
  check({
    id: 'ODATA-FUNCIMPORT-001',
    level: 'MUST',
    title: 'A function import is called by its name, and gives what its return type says.',
    spec,
    needs: freeFunction,
    run: async (audit, one) => {
      const { returnType } = one
      if (returnType === undefined) return
      if (returnType.isCollection) jsonFeedOrValues(await call(audit, one))
      else demandObject(await call(audit, one), '"d"')
      if (!returnType.isCollection || isPrimitive(returnType.type) || returnType.type.kind !== 'EntityType')
        return
      jsonFeed(await audit.getJson(encodeURIComponent(one.path)))
    },
  }),
  check({
    id: 'ODATA-FUNCIMPORT-002',
    level: 'MUST',
    title: 'A function import is called by the method that the metadata document says.',
    spec: 'MS-ODATA 2.2.3.7.2 (m:HttpMethod)',
    needs: orElse(freeFunction, readingFunction),
    run: async (audit, { path }) => {
      demandClientError(await audit.send('POST', encodeURIComponent(path)))
    },
  }),
  check({
    id: 'ODATA-FUNCIMPORT-003',
    level: 'MUST',
    title: 'A function import without a parameter that it needs is refused.',
    spec,
    needs: boundFunction,
    run: async (audit, { path }) => {
      demandClientError(await audit.get(encodeURIComponent(path)))
    },
  }),
  check({
    id: 'ODATA-FUNCIMPORT-004',
    level: 'MUST',
    title: 'What a function import gives is XML for a client that asks for no format.',
    spec,
    needs: freeFunction,
    run: async (audit, { path }) => {
      const answer = await audit.get(encodeURIComponent(path))
      demandStatus(answer, 200, 204)
      if (answer.status === 200)
        demandMediaType(answer, 'application/xml', 'text/xml', 'application/atom+xml')
      if (answer.status === 200) answer.xml()
    },
  }),
]

function jsonFeedOrValues(content: unknown): void {
  const values = isRecord(content) ? content['results'] : content
  demand(Array.isArray(values), `The result must be an array, not ${shown(content)}.`)
}
