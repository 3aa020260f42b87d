import { AuditError, auditChecks, auditService } from '../../audit/audit-service.js'
import { formatReport } from '../../audit/format-report.js'
import type { AuditReport } from '../../audit/report.js'
import type { Command, CommandIo } from '../command.js'
import { SourceError } from '../errors.js'
import type { OptionValues } from '../parse-args.js'
import { parseChoice, parseSource, parseArgs } from '../parse-args.js'
import { sourceOptions, sourceSettings } from '../read-model.js'
import { textStyle } from '../terminal.js'
import { outputOption, writeResult } from '../command.js'

const options = {
  format: { type: 'string', value: '<format>', text: 'text (default), json, or junit' },
  output: outputOption,
  write: { type: 'boolean', text: 'make, change and delete entities too, of its own' },
  only: {
    type: 'string',
    multiple: true,
    value: '<prefix>',
    text: 'checks that begin so, ODATA-FILTER for instance; may be given several times',
  },
  list: { type: 'boolean', text: 'print the checks, and do nothing' },
  header: sourceOptions.header,
  timeout: sourceOptions.timeout,
} as const

/** `express-odata-v2 audit`. */
export const auditCommand: Command = {
  synopsis: '<url> [options]',
  description: `Checks whether a service keeps to OData V2, any service at any address: more than 250 checks, each with the
section of the specification that it is from. Nothing is changed without --write.`,
  options,
  notes: `  express-odata-v2 audit http://localhost:4004/shop/
  express-odata-v2 audit https://host/service/ --header 'Authorization: Bearer ...' --format junit --output audit.xml

Ends with 0 when no MUST has failed, with 1 when one has, and with 2 when there is no service.`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    if (values.list === true) return printList(values.only ?? [''], io)
    const url = parseSource(positionals, 'Which service is to be audited?')
    const format = parseChoice('--format', values.format, ['text', 'json', 'junit'])
    const report = await audit(url, values, io)
    await writeResult(formatReport(report, format, styleFor(values.output, io)), values.output, io)
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
  const settings = sourceSettings({
    ...(header === undefined ? {} : { header }),
    ...(timeout === undefined ? {} : { timeout }),
  })
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

/** Files have no colours. */
function styleFor(output: string | undefined, { style }: CommandIo): Parameters<typeof formatReport>[2] {
  const { green, red, dim } = output === undefined ? style : textStyle(false)
  return { good: green, bad: red, dim }
}

function summaryOf({ counts: { MUST, SHOULD } }: AuditReport): string {
  return `MUST: ${String(MUST.failed)} failed, SHOULD: ${String(SHOULD.failed)} failed.`
}
