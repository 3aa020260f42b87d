import type {
  AssociationSet,
  EntityContainer,
  EntitySet,
  FunctionImport,
  FunctionParameter,
  FunctionReturnType,
} from '../edm/edm-model.js'
import { isPrimitive } from '../edm/edm-model.js'
import type { WritableElement } from '../xml/write-xml.js'
import type { CsdlWriter } from './csdl-writer.js'

/** @spec MC-CSDL 2.1.14 */
export function writeEntityContainer(container: EntityContainer, writer: CsdlWriter): WritableElement {
  return writer.element('EntityContainer', container, {
    attributes: {
      Name: container.name,
      Extends: container.extends,
      [`${writer.metadata}:IsDefaultEntityContainer`]: container.isDefault ? 'true' : undefined,
    },
    children: [
      ...container.entitySets.map((set) => writeEntitySet(set, writer)),
      ...container.associationSets.map((set) => writeAssociationSet(set, writer)),
      ...container.functionImports.map((one) => writeFunctionImport(one, writer)),
    ],
  })
}

function writeEntitySet(set: EntitySet, writer: CsdlWriter): WritableElement {
  return writer.element('EntitySet', set, {
    attributes: { Name: set.name, EntityType: set.entityType.qualifiedName },
  })
}

/** @spec MC-CSDL 2.1.19 */
function writeAssociationSet(set: AssociationSet, writer: CsdlWriter): WritableElement {
  return writer.element('AssociationSet', set, {
    attributes: { Name: set.name, Association: set.association.qualifiedName },
    children: set.ends.map((end) =>
      writer.element('End', end, { attributes: { Role: end.role, EntitySet: end.entitySet.name } }),
    ),
  })
}

/** @spec MC-CSDL 2.1.21 */
function writeFunctionImport(one: FunctionImport, writer: CsdlWriter): WritableElement {
  return writer.element('FunctionImport', one, {
    attributes: {
      Name: one.name,
      EntitySet: one.entitySet?.name,
      ReturnType: one.returnType === undefined ? undefined : typeText(one.returnType),
      [`${writer.metadata}:HttpMethod`]: one.httpMethod,
    },
    children: one.parameters.map((parameter) => writeParameter(parameter, writer)),
  })
}

function typeText({ type, isCollection }: FunctionReturnType): string {
  const name = isPrimitive(type) ? type : type.qualifiedName
  return isCollection ? `Collection(${name})` : name
}

function writeParameter(parameter: FunctionParameter, writer: CsdlWriter): WritableElement {
  return writer.element('Parameter', parameter, {
    attributes: {
      Name: parameter.name,
      Type: parameter.type,
      Mode: parameter.mode,
      Nullable: parameter.nullable ? undefined : 'false',
      MaxLength: parameter.maxLength?.toString(),
      Precision: parameter.precision?.toString(),
      Scale: parameter.scale?.toString(),
    },
  })
}
