import type { Association, AssociationEnd, Property, ReferentialConstraint } from '../edm/edm-model.js'
import type { WritableElement } from '../xml/write-xml.js'
import type { CsdlWriter } from './csdl-writer.js'

/** @spec MC-CSDL 2.1.8 */
export function writeAssociation(association: Association, writer: CsdlWriter): WritableElement {
  const constraint = association.referentialConstraint
  return writer.element('Association', association, {
    attributes: { Name: association.name },
    children: [
      ...association.ends.map((end) => writeEnd(end, writer)),
      ...(constraint === undefined ? [] : [writeConstraint(constraint, writer)]),
    ],
  })
}

function writeEnd(end: AssociationEnd, writer: CsdlWriter): WritableElement {
  return writer.element('End', end, {
    attributes: { Role: end.role, Type: end.type.qualifiedName, Multiplicity: end.multiplicity },
    children: end.onDelete === undefined ? [] : [{ name: 'OnDelete', attributes: { Action: end.onDelete } }],
  })
}

/** @spec MC-CSDL 2.1.11 */
function writeConstraint(constraint: ReferentialConstraint, writer: CsdlWriter): WritableElement {
  return writer.element('ReferentialConstraint', constraint, {
    children: [
      writeRole('Principal', constraint.principal, constraint.principalProperties),
      writeRole('Dependent', constraint.dependent, constraint.dependentProperties),
    ],
  })
}

function writeRole(name: string, { role }: AssociationEnd, properties: readonly Property[]): WritableElement {
  return {
    name,
    attributes: { Role: role },
    children: properties.map((property) => ({ name: 'PropertyRef', attributes: { Name: property.name } })),
  }
}
