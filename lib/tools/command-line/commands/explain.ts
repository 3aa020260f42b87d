import { requestListener } from '../../../request-listener.js'
import type { ExplainedRequest } from '../../../resources/explain-request.js'
import type { Command } from '../command.js'
import { SourceError, UsageError } from '../errors.js'
import { listen } from '../listen.js'
import { serveDatabase } from '../open-source.js'
import { keyOption, parseArgs, parseChoice, parseKeys } from '../parse-args.js'
import { kindOfSource } from '../source-kind.js'

const formats = ['text', 'json'] as const

const options = {
  format: { type: 'string', value: '<format>', text: 'text (default) or json' },
  key: keyOption,
} as const

export const explainCommand: Command = {
  synopsis: '<database> <path> [options]',
  description: `Shows how a read request is evaluated: which parts of the query the database evaluates and which the service, the SQL
statements with their plans, and indexes that would help. The database is only read.`,
  options,
  notes: `  express-odata-v2 explain shop.sqlite 'Products?$filter=Rating eq 7&$orderby=Name'
  express-odata-v2 explain postgres://user:password@host/shop 'Orders(7)/Items' --format json`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const [source, path, ...others] = positionals
    if (source === undefined || path === undefined || others.length > 0)
      throw new UsageError('Which request do you want to explain? Name a database and one path.')
    const format = parseChoice('--format', values.format, formats)
    if (kindOfSource(source) !== 'database') throw new SourceError(`'${source}' is not a database.`)
    const given = { writable: false, keys: parseKeys('--key', values.key), invalidAsNull: false }
    const { model, provider, close } = await serveDatabase(source, given, io.error)
    const server = await listen(requestListener(model, provider, { explain: true }), {
      host: '127.0.0.1',
      port: 0,
    })
    try {
      const encoded = encodeURI(path).replaceAll('%25', '%')
      const url = `${server.root}${encoded.replace(/^\//, '')}${path.includes('?') ? '&' : '?'}explain=true`
      const response = await fetch(url, { headers: { Accept: 'application/json' } })
      const text = await response.text()
      if (!response.ok || !text.startsWith('{')) throw new SourceError(messageOf(text))
      io.write(format === 'json' ? text : printed(JSON.parse(text) as ExplainedRequest))
      return 0
    } finally {
      await server.stop()
      await close()
    }
  },
}

function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as {
      readonly error?: { readonly message?: { readonly value?: string } }
    }
    return error?.message?.value ?? text
  } catch {
    return text
  }
}

function printed({ request, status, bytes, milliseconds, reads, statements }: ExplainedRequest): string {
  const lines = [
    `${request}: ${String(status)}, ${String(bytes)} bytes, ${String(milliseconds)} ms`,
    ...reads.flatMap(({ entitySet, provider, service }) => [
      '',
      `Read ${entitySet}`,
      ...provider.map((one) => `  by the database: ${one}`),
      ...service.map((one) => `  by the service:  ${one}`),
    ]),
    ...statements.flatMap(({ text, milliseconds: time, plan, advice }) => [
      '',
      `Statement, ${String(time)} ms`,
      `  ${text}`,
      ...plan.map((line) => `    ${line}`),
      ...advice.map((one) => `  Faster with: ${one}`),
    ]),
  ]
  return `${lines.join('\n')}\n`
}
