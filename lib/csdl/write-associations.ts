import { annotatedPart } from '../edm/annotations.js'
import type { Association, AssociationEnd, Property, ReferentialConstraint } from '../edm/edm-model.js'
import type { WritableElement } from '../xml/write-xml.js'
import type { CsdlWriter } from './csdl-writer.js'
import { writePropertyReferences } from './write-structural-types.js'

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
    children: end.onDelete === undefined ? [] : [writeOnDelete(end, end.onDelete, writer)],
  })
}

function writeOnDelete(end: AssociationEnd, action: string, writer: CsdlWriter): WritableElement {
  return writer.element('OnDelete', annotatedPart(end, 'OnDelete'), { attributes: { Action: action } })
}

/** @spec MC-CSDL 2.1.11 */
function writeConstraint(constraint: ReferentialConstraint, writer: CsdlWriter): WritableElement {
  return writer.element('ReferentialConstraint', constraint, {
    children: [
      writeRole('Principal', constraint, constraint.principal, constraint.principalProperties, writer),
      writeRole('Dependent', constraint, constraint.dependent, constraint.dependentProperties, writer),
    ],
  })
}

function writeRole(
  name: 'Principal' | 'Dependent',
  constraint: ReferentialConstraint,
  { role }: AssociationEnd,
  properties: readonly Property[],
  writer: CsdlWriter,
): WritableElement {
  const part = annotatedPart(constraint, name)
  return writer.element(name, part, {
    attributes: { Role: role },
    children: writePropertyReferences(properties, part, writer),
  })
}
