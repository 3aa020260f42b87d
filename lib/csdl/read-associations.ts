import type {
  AssociationDefinition,
  AssociationEndDefinition,
  ConstraintRoleDefinition,
} from '../edm/model-definition.js'
import type { Multiplicity } from '../edm/edm-model.js'
import type { CsdlReader } from './csdl-reader.js'
import { defined } from './csdl-reader.js'

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
  const [constraint] = reader.children('ReferentialConstraint')
  return defined({
    ends,
    referentialConstraint: constraint === undefined ? undefined : readConstraint(constraint),
    ...reader.rest(),
  })
}

function readEnd(reader: CsdlReader, type: string): AssociationEndDefinition {
  const [onDelete] = reader.children('OnDelete')
  return defined({
    type,
    // A wrong value is reported when the model is built.
    multiplicity: reader.required('Multiplicity') as Multiplicity,
    onDelete: onDelete?.oneOf('Action', ['None', 'Cascade']),
    ...reader.rest(),
  })
}

function readConstraint(reader: CsdlReader): NonNullable<AssociationDefinition['referentialConstraint']> {
  const principal = readConstraintRole(reader, 'Principal')
  const dependent = readConstraintRole(reader, 'Dependent')
  return { principal, dependent, ...reader.rest() }
}

function readConstraintRole(reader: CsdlReader, name: 'Principal' | 'Dependent'): ConstraintRoleDefinition {
  const [role] = reader.children(name)
  if (role === undefined) reader.faults.add(reader.place, `the referential constraint needs a <${name}>.`)
  return {
    role: role?.required('Role') ?? '',
    properties: role?.children('PropertyRef').map((one) => one.required('Name')) ?? [],
  }
}
