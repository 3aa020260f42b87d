import type { AuditOptions } from '../../lib/audit.js'
import { auditService, formatReport } from '../../lib/audit.js'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import type { RequestHandler } from 'express'
import express from 'express'

/** A server with one service at `/service/`. */
export interface ServedService {
  readonly root: string
  close(): Promise<void>
}

export async function serve(service: RequestHandler): Promise<ServedService> {
  const app = express()
  app.use('/service', service)
  return listening(createServer(app), '/service/')
}

/** Waits until a server listens. */
export async function listening(server: Server, path: string): Promise<ServedService> {
  // The time between two requests of an audit is not limited.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    root: `http://127.0.0.1:${port}${path}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Audits a service. @throws Error with a report of the failed checks */
export async function demandConformance(
  root: string,
  options: AuditOptions = {},
): Promise<Record<'passed' | 'skipped', number>> {
  const report = await auditService(root, options)
  const failures = report.checks.filter(({ outcome }) => outcome === 'failed')
  if (failures.length > 0) throw new Error(formatReport({ ...report, checks: failures }, 'text'))
  const { MUST, SHOULD } = report.counts
  return { passed: MUST.passed + SHOULD.passed, skipped: MUST.skipped + SHOULD.skipped }
}
