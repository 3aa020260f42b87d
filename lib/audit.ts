/** Checks whether OData V2 services keep to the protocol. @packageDocumentation */
export { AuditError, auditChecks, auditService } from './audit/audit-service.js'
export type { AuditOptions } from './audit/audit-service.js'
export type { CheckDescription } from './audit/check-description.js'
export { formatReport } from './audit/format-report.js'
export type { ReportFormat, ReportStyle } from './audit/format-report.js'
export type * from './audit/report.js'
