import { AuditError, auditChecks, auditService } from '../../audit/audit-service.js'
import type { AuditReport } from '../../audit/format-report.js'
import { formatReport } from '../../audit/format-report.js'
import type { Command, CommandIo } from '../command.js'
import { SourceError } from '../errors.js'
import type { OptionValues } from '../parse-args.js'
import { parseChoice, parseSource, parseArgs } from '../parse-args.js'
import { sourceOptions, sourceSettings } from '../read-model.js'
import { outputOption, styleOfResult, writeResult } from '../command.js'

const options = {
  format: { type: 'string', value: '<format>', text: 'text (default), json, or junit' },
  output: outputOption,
  write: { type: 'boolean', text: 'also create, update and delete entities; the audit changes only its own' },
  only: {
    type: 'string',
    multiple: true,
    value: '<prefix>',
    text: 'run only checks with this prefix, for example ODATA-FILTER; can be repeated',
  },
  list: { type: 'boolean', text: 'list the checks and exit' },
  header: sourceOptions.header,
  timeout: sourceOptions.timeout,
} as const

/** `express-odata-v2 audit`. */
export const auditCommand: Command = {
  synopsis: '<url> [options]',
  description: `Checks whether a service conforms to OData V2. Each of more than 250 checks names the section of the
specification that it tests. The audit only reads unless you add --write.`,
  options,
  notes: `  express-odata-v2 audit http://localhost:4004/shop/
  express-odata-v2 audit https://host/service/ --header 'Authorization: Bearer ...' --format junit --output audit.xml

Exit code: 0 if no MUST failed, 1 if one failed, 2 if the service cannot be audited.`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    if (values.list === true) return printList(values.only ?? [''], io)
    const url = parseSource(positionals, 'Which service do you want to audit?')
    const format = parseChoice('--format', values.format, ['text', 'json', 'junit'])
    const report = await audit(url, values, io)
    const { green, red, dim } = styleOfResult(values.output, io)
    await writeResult(formatReport(report, format, { good: green, bad: red, dim }), values.output, io)
    if (values.output !== undefined) io.error(summaryOf(report))
    return report.conforms ? 0 : 1
  },
}

function printList(prefixes: readonly string[], { print, style }: CommandIo): number {
  for (const { id, level, title, spec, writes } of auditChecks) {
    if (!prefixes.some((prefix) => id.startsWith(prefix))) continue
    print(`${style.bold(id)} ${level}${writes ? ', --write' : ''}  ${title}  ${style.dim(spec)}`)
  }
  return 0
}

async function audit(url: string, values: OptionValues<typeof options>, io: CommandIo): Promise<AuditReport> {
  const { header, timeout, write, only } = values
  const settings = sourceSettings({ header, timeout })
  const progress = io.progress(`Auditing ${url}`)
  try {
    return await auditService(url, {
      headers: Object.fromEntries(settings.headers),
      timeout: settings.timeout * 1000,
      write: write ?? false,
      signal: io.signal,
      ...(only === undefined ? {} : { checks: only }),
      onCheck: ({ id }, done, all) => {
        progress.update(`${String(done)} of ${String(all)}  ${id}`)
      },
    })
  } catch (error) {
    if (error instanceof AuditError) throw new SourceError(error.message)
    throw error
  } finally {
    progress.end()
  }
}

function summaryOf({ counts: { MUST, SHOULD } }: AuditReport): string {
  return `MUST: ${String(MUST.failed)} failed, SHOULD: ${String(SHOULD.failed)} failed.`
}
