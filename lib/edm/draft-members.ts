import type { ComplexType, EntityType } from './edm-model.js'

const DRAFT_ENTITY_MEMBERS: ReadonlySet<string> = new Set([
  'IsActiveEntity',
  'HasActiveEntity',
  'HasDraftEntity',
  'SiblingEntity',
  'DraftAdministrativeData',
])

/**
 * Whether Fiori elements filters drafts by a property or navigation property. It does so without looking at
 * `sap:filterable="false"`, which the metadata of some of SAP's own services has there.
 */
export function isDraftFilterMember(type: EntityType | ComplexType, name: string): boolean {
  if (type.kind !== 'EntityType') return false
  if (DRAFT_ENTITY_MEMBERS.has(name)) return type.property('IsActiveEntity')?.type === 'Edm.Boolean'
  return name === 'InProcessByUser' && type.key.some((key) => key.name === 'DraftUUID')
}
