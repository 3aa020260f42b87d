/** Checks whether OData V2 services keep to the protocol. @packageDocumentation */
export { AuditError, auditChecks, auditService } from './tools/audit/audit-service.js'
export type { AuditOptions } from './tools/audit/audit-service.js'
export type { CheckDescription } from './tools/audit/check.js'
export { formatReport } from './tools/audit/format-report.js'
export type { ReportFormat, ReportStyle } from './tools/audit/format-report.js'
export type {
  CheckOutcome,
  CheckResult,
  AuditExchange,
  OutcomeCounts,
  AuditReport,
} from './tools/audit/report.js'
