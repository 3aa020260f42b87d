import type { FunctionImport } from '../../../edm/edm-model.js'
import { functionImportsOf, isPrimitive } from '../../../edm/edm-model.js'
import { assertClientError, assertMediaType, assertObject, assertStatus } from '../assertions.js'
import type { Check, Need } from '../check.js'
import { orElse, section } from '../check.js'
import { jsonContent, jsonFeed, resultsIn } from '../json-documents.js'
import { model } from '../needs.js'

const spec = 'MS-ODATA 2.2.3.5 (URI 10 to 14), 2.2.3.6.2 (service operation parameters)'

/** A function import for GET and its address. */
interface Callable {
  readonly address: string
  readonly returnType: FunctionImport['returnType']
}

function functionWhere(description: string, fits: (one: FunctionImport) => boolean): Need<Callable> {
  return {
    description,
    find: async (audit) => {
      const known = await model.find(audit)
      const found = known && functionImportsOf(known).find((one) => one.httpMethod === 'GET' && fits(one))
      return found && { address: encodeURIComponent(found.path), returnType: found.returnType }
    },
  }
}

const hasOptionalParameters = ({ parameters }: FunctionImport): boolean =>
  parameters.every(({ nullable }) => nullable)

const optionalParameters = functionWhere(
  'a function import for GET without required parameters',
  (one) => hasOptionalParameters(one) && one.returnType !== undefined,
)
const requiredParameters = functionWhere(
  'a function import for GET with a required parameter',
  (one) => !hasOptionalParameters(one),
)
const anyFunction = functionWhere('a function import for GET', () => true)

const calls = section(spec, optionalParameters)
const methods = section('MS-ODATA 2.2.3.7.2 (m:HttpMethod)', orElse(optionalParameters, anyFunction))
const parameters = section(spec, requiredParameters)

/** Function imports that read. */
export const functionImportChecks: readonly Check[] = [
  calls.must(
    'ODATA-FUNCIMPORT-001',
    'A function import returns its return type.',
    async (audit, { address, returnType }) => {
      const response = await audit.getJson(address)
      const content = jsonContent(response)
      if (returnType?.isCollection !== true) assertObject(content, '"d"')
      else if (isPrimitive(returnType.type) || returnType.type.kind !== 'EntityType') resultsIn(content)
      else jsonFeed(response)
    },
  ),
  methods.must(
    'ODATA-FUNCIMPORT-002',
    'A function import rejects other methods than the one of $metadata.',
    async (audit, { address }) => {
      assertClientError(await audit.send('POST', address))
    },
  ),
  parameters.must('ODATA-FUNCIMPORT-003', 'A required parameter is required.', async (audit, { address }) => {
    assertClientError(await audit.get(address))
  }),
  calls.should(
    'ODATA-FUNCIMPORT-004',
    'The default format of results is XML.',
    async (audit, { address }) => {
      const response = await audit.get(address)
      assertStatus(response, 200, 204)
      if (response.status === 204) return
      assertMediaType(response, 'application/xml', 'text/xml', 'application/atom+xml')
      response.xml()
    },
  ),
]
