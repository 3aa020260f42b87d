import type {
  AssociationDefinition,
  AssociationEndDefinition,
  ConstraintRoleDefinition,
} from '../edm/model-definition.js'
import { multiplicities } from '../edm/edm-model.js'
import type { CsdlReader } from './csdl-reader.js'
import { defined } from './csdl-reader.js'
import { readPropertyReferences } from './read-structural-types.js'

/** @spec MC-CSDL 2.1.8 */
export function readAssociation(reader: CsdlReader): AssociationDefinition {
  const ends: Record<string, AssociationEndDefinition> = {}
  for (const end of reader.children('End')) {
    const type = end.required('Type')
    // The role may be left out, and then is the name of the type.
    const role = end.text('Role') ?? type.slice(type.lastIndexOf('.') + 1)
    if (Object.hasOwn(ends, role)) reader.faults.add(reader.place, `both ends have the role '${role}'.`)
    ends[role] = readEnd(end, type)
  }
  const constraint = reader.child('ReferentialConstraint')
  return defined({
    ends,
    referentialConstraint: constraint === undefined ? undefined : readConstraint(constraint),
    ...reader.rest(),
  })
}

function readEnd(reader: CsdlReader, type: string): AssociationEndDefinition {
  reader.required('Multiplicity')
  const onDelete = reader.child('OnDelete')
  onDelete?.required('Action')
  const action = onDelete?.oneOf('Action', ['None', 'Cascade'])
  if (onDelete !== undefined) reader.keep('OnDelete', onDelete)
  return defined({
    type,
    // What is wrong with another value has been reported.
    multiplicity: reader.oneOf('Multiplicity', multiplicities) ?? '*',
    onDelete: action,
    ...reader.rest(),
  })
}

function readConstraint(reader: CsdlReader): NonNullable<AssociationDefinition['referentialConstraint']> {
  const principal = readConstraintRole(reader, 'Principal')
  const dependent = readConstraintRole(reader, 'Dependent')
  return { principal, dependent, ...reader.rest() }
}

function readConstraintRole(reader: CsdlReader, name: 'Principal' | 'Dependent'): ConstraintRoleDefinition {
  const part = reader.child(name)
  if (part === undefined) {
    reader.faults.add(reader.place, `the referential constraint needs a <${name}>.`)
    return { role: '', properties: [] }
  }
  const role = part.required('Role')
  const properties = readPropertyReferences(part)
  reader.keep(name, part)
  return { role, properties }
}
