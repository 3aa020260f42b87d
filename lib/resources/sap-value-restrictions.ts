import type { SapRestrictions } from '../edm/sap-annotations.js'
import { ODataError } from '../errors/odata-error.js'
import type { FixedProperties } from './fixed-properties.js'

/**
 * Returns the properties that clients cannot give to new entities, by the annotations of the model.
 *
 * @spec SAP annotations for OData version 2.0: Property, creatable
 */
export function notCreatable(sap: SapRestrictions): FixedProperties {
  return {
    isFixed: (property) => sap.properties.get(property)?.notCreatable === true,
    error: (path) => fixed(path, 'given to a new entity', 'creatable'),
  }
}

/**
 * Returns the properties that clients cannot update, by the annotations of the model.
 *
 * @spec SAP annotations for OData version 2.0: Property, updatable
 */
export function notUpdatable(sap: SapRestrictions): FixedProperties {
  return {
    isFixed: (property) => sap.properties.get(property)?.notUpdatable === true,
    error: (path) => fixed(path, 'updated', 'updatable'),
  }
}

function fixed(path: string, deed: string, annotation: string): ODataError {
  return new ODataError('BadRequest', { message: `'${path}' cannot be ${deed} (sap:${annotation}="false").` })
}
