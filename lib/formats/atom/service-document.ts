import type { EdmModel } from '../../edm/edm-model.js'
import { percentEncode } from '../../uri/percent-encoding.js'
import { appNamespace, atomNamespace } from '../../xml/namespaces.js'
import type { WriteContext } from '../format.js'
import { xmlDeclaration } from './documents.js'

/** The feeds of a service as a workspace of collections. @spec MS-ODATA 2.2.6.2.7, RFC 5023 8 */
export function serviceDocument(model: EdmModel, { root }: WriteContext): string {
  const collections = model.entityContainers.flatMap(({ entitySets }) =>
    entitySets.map(
      ({ path }) => `<collection href="${percentEncode(path)}"><atom:title>${path}</atom:title></collection>`,
    ),
  )
  return (
    `${xmlDeclaration}<service xml:base="${root}" xmlns="${appNamespace}" xmlns:atom="${atomNamespace}">` +
    `<workspace><atom:title>Default</atom:title>${collections.join('')}</workspace></service>`
  )
}
