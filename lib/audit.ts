/** Checks whether OData V2 services conform to the protocol. @packageDocumentation */
export { AuditError, auditChecks, auditService } from './tools/audit/audit-service.js'
export type { AuditOptions } from './tools/audit/audit-service.js'
export type { CheckDescription } from './tools/audit/check.js'
export { formatReport } from './tools/audit/format-report.js'
export type {
  AuditExchange,
  AuditReport,
  CheckOutcome,
  CheckResult,
  OutcomeCounts,
  ReportFormat,
  ReportStyle,
} from './tools/audit/format-report.js'
