import type {
  AssociationSetDefinition,
  EntityContainerDefinition,
  FunctionImportDefinition,
  FunctionParameterDefinition,
} from '../edm/model-definition.js'
import { metadataNamespace } from '../xml/namespaces.js'
import type { CsdlReader } from './csdl-reader.js'
import { defined } from './csdl-reader.js'
import { readMaxLength } from './read-structural-types.js'

/** @spec MC-CSDL 2.1.14 */
export function readEntityContainer(reader: CsdlReader): EntityContainerDefinition {
  return defined({
    default: reader.boolean('IsDefaultEntityContainer', metadataNamespace),
    extends: reader.text('Extends'),
    entitySets: reader.named('EntitySet', (set) => ({
      entityType: set.required('EntityType'),
      ...set.rest(),
    })),
    associationSets: reader.named('AssociationSet', readAssociationSet),
    functionImports: reader.named('FunctionImport', readFunctionImport),
    ...reader.rest(),
  })
}

/** @spec MC-CSDL 2.1.19 */
function readAssociationSet(reader: CsdlReader): AssociationSetDefinition {
  const ends: Record<string, AssociationSetDefinition['ends'][string]> = {}
  for (const end of reader.children('End')) {
    const entitySet = end.required('EntitySet')
    // The role may be left out; the build then takes the end whose type the set holds.
    const role = end.text('Role') ?? entitySet
    if (Object.hasOwn(ends, role)) reader.faults.add(reader.place, `both ends have the role '${role}'.`)
    const rest = end.rest()
    ends[role] = Object.keys(rest).length === 0 ? entitySet : { entitySet, ...rest }
  }
  return { association: reader.required('Association'), ends, ...reader.rest() }
}

/** @spec MC-CSDL 2.1.21 */
function readFunctionImport(reader: CsdlReader): FunctionImportDefinition {
  return defined({
    returnType: reader.text('ReturnType'),
    entitySet: reader.text('EntitySet'),
    httpMethod: reader.oneOf('HttpMethod', ['GET', 'POST'], metadataNamespace),
    parameters: reader.named('Parameter', readParameter),
    ...reader.rest(),
  })
}

function readParameter(reader: CsdlReader): FunctionParameterDefinition {
  return defined({
    type: reader.required('Type', 'Edm.String'),
    nullable: reader.boolean('Nullable'),
    mode: reader.oneOf('Mode', ['In', 'Out', 'InOut']),
    maxLength: readMaxLength(reader),
    precision: reader.number('Precision'),
    scale: reader.number('Scale'),
    ...reader.rest(),
  })
}
