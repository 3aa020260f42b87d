import type { DescribedService } from './described-service.js'
import { inD } from './entity-components.js'
import type { JsonObject } from './json.js'
import { reference } from './json.js'
import { ifAllowed, operation, pathItem } from './operations.js'

/** The tag of what belongs to no entity set. */
export const serviceTag = 'Service'

/** The service document, the metadata and `$batch`. @spec MS-ODATA 2.2.3.5 (URI 0, 8 and 9) */
export function servicePaths(service: DescribedService): Record<string, JsonObject> {
  const feeds = operation(
    'GET',
    {
      name: 'service',
      verb: 'read',
      tag: serviceTag,
      summary: 'Read the service document',
      parameters: [reference('parameters', 'format')],
      responses: { '200': { description: 'The entity sets.', content: serviceDocument } },
    },
    service,
  )
  const metadata = operation(
    'GET',
    {
      name: 'metadata',
      verb: 'read',
      tag: serviceTag,
      summary: 'Read the model',
      responses: { '200': { description: 'The model as EDMX.', content: { 'application/xml': text } } },
    },
    service,
  )
  const batch = ifAllowed('POST', { kind: 'Batch' }, service, () => ({
    name: 'batch',
    verb: 'send',
    tag: serviceTag,
    summary: 'Send several requests in one',
    description: 'The changes of a change set happen all or not at all.',
    requestBody: { required: true, content: { 'multipart/mixed; boundary=batch': batchContent } },
    responses: {
      '202': { description: 'An answer for each part.', content: { 'multipart/mixed': text } },
    },
  }))
  return {
    ...pathItem('/', [], [['GET', feeds]]),
    ...pathItem('/$metadata', [], [['GET', metadata]]),
    ...pathItem('/$batch', [], [batch]),
  }
}

const text: JsonObject = { schema: { type: 'string' } }

const serviceDocument: JsonObject = {
  'application/json': {
    schema: inD({
      type: 'object',
      required: ['EntitySets'],
      properties: { EntitySets: { type: 'array', items: { type: 'string' } } },
    }),
  },
  'application/atomsvc+xml': text,
}

const batchContent: JsonObject = {
  ...text,
  example: [
    '--batch',
    'Content-Type: application/http',
    'Content-Transfer-Encoding: binary',
    '',
    'GET $metadata HTTP/1.1',
    '',
    '',
    '--batch--',
    '',
  ].join('\r\n'),
}
