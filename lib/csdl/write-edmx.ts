import type { EdmModel, Schema, Using } from '../edm/edm-model.js'
import { edmxNamespace } from '../xml/namespaces.js'
import type { WritableElement } from '../xml/write-xml.js'
import { writeXml } from '../xml/write-xml.js'
import type { CsdlWriter } from './csdl-writer.js'
import { createCsdlWriter } from './csdl-writer.js'
import { writeAssociation } from './write-associations.js'
import { writeEntityContainer } from './write-entity-container.js'
import { writeComplexType, writeEntityType } from './write-structural-types.js'

/**
 * The metadata document of a model, as a service sends it under `$metadata`. Reading it gives the same model
 * again, annotations included.
 *
 * @param model any model
 * @returns one line of XML in UTF-8
 * @example
 * await writeFile('shop.edmx', writeEdmx(model))
 * @spec MC-EDMX, MC-CSDL, MS-ODATA 2.2.3.7.2
 */
export function writeEdmx(model: EdmModel): string {
  const writer = createCsdlWriter(model)
  const services = writer.element('edmx:DataServices', model.dataServices, {
    attributes: { [`${writer.metadata}:DataServiceVersion`]: model.dataServiceVersion },
    children: model.schemas.map((schema) => writeSchema(schema, writer)),
  })
  const root = writer.element('edmx:Edmx', model, {
    attributes: { Version: '1.0', 'xmlns:edmx': edmxNamespace, ...writer.declarations },
    children: [services],
  })
  return writeXml(root)
}

/** The order of the children is ours; CSDL allows any. */
function writeSchema(schema: Schema, outer: CsdlWriter): WritableElement {
  const writer = outer.inSchema(schema.xmlNamespace)
  return writer.element('Schema', schema, {
    attributes: { Namespace: schema.namespace, Alias: schema.alias, xmlns: schema.xmlNamespace },
    children: [
      ...schema.usings.map((using) => writeUsing(using, writer)),
      ...schema.entityTypes.map((type) => writeEntityType(type, writer)),
      ...schema.complexTypes.map((type) => writeComplexType(type, writer)),
      ...schema.associations.map((association) => writeAssociation(association, writer)),
      ...schema.entityContainers.map((container) => writeEntityContainer(container, writer)),
    ],
  })
}

function writeUsing(using: Using, writer: CsdlWriter): WritableElement {
  return writer.element('Using', using, { attributes: { Namespace: using.namespace, Alias: using.alias } })
}
