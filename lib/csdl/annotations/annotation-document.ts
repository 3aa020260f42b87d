import type { EdmModel } from '../../edm/edm-model.js'
import { vocabularies } from '../../edm/vocabularies/vocabularies.js'
import { edmx4Namespace, csdl4Namespace } from '../../xml/namespaces.js'
import type { WritableElement } from '../../xml/write-xml.js'
import { writeXml } from '../../xml/write-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'

/**
 * Serializes annotations as a document of their own, which refers to the metadata document of the service.
 *
 * @returns the document before and after the URL of the service, which ends with a slash
 * @spec OData V4 CSDL 3.1 to 3.4
 */
export function annotationDocument(
  model: EdmModel,
  annotations: readonly XmlElement[],
): readonly [before: string, after: string] {
  const namespaces = model.schemas.map(({ namespace }) => namespace)
  const references = [
    reference(
      '$metadata',
      namespaces.map((Namespace) => ({ Namespace })),
    ),
    ...vocabularies.map(({ alias, namespace, uri }) =>
      reference(uri, [{ Namespace: namespace, Alias: alias }]),
    ),
  ]
  const schema: WritableElement = {
    name: 'Schema',
    attributes: { xmlns: csdl4Namespace, Namespace: `${model.defaultContainer.namespace}.annotations` },
    children: annotations.map(writable),
  }
  const document = writeXml({
    name: 'edmx:Edmx',
    attributes: { Version: '4.0', 'xmlns:edmx': edmx4Namespace },
    children: [...references, { name: 'edmx:DataServices', children: [schema] }],
  })
  // The first reference is that to the service.
  const root = document.indexOf('$metadata')
  return [document.slice(0, root), document.slice(root)]
}

function reference(uri: string, includes: readonly Readonly<Record<string, string>>[]): WritableElement {
  return {
    name: 'edmx:Reference',
    attributes: { Uri: uri },
    children: includes.map((attributes) => ({ name: 'edmx:Include', attributes })),
  }
}

/** Annotations have no attributes and elements of other namespaces. */
function writable({ name, attributes, children }: XmlElement): WritableElement {
  return {
    name,
    attributes: Object.fromEntries(
      attributes.filter(({ namespace }) => namespace === '').map((one) => [one.name, one.value]),
    ),
    children: children.map((child) => (typeof child === 'string' ? child : writable(child))),
  }
}
