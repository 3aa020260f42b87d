import { openApiDocument } from '../../openapi/openapi-document.js'
import type { Command } from '../command.js'
import { reasonOf, UsageError } from '../errors.js'
import { parseSource, parseArgs } from '../parse-args.js'
import { readModel, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'
import { kindOfSource } from '../source-kind.js'
import { outputOption, writeResult } from '../command.js'

const options = {
  output: outputOption,
  title: {
    type: 'string',
    value: '<text>',
    text: 'what the service is called (default: its entity container)',
  },
  'api-version': { type: 'string', value: '<text>', text: 'the version of its interface (default 1.0.0)' },
  server: {
    type: 'string',
    value: '<url>',
    text: 'the address of the service (default: that of the source)',
  },
  'read-only': { type: 'boolean', text: 'describe no operations that change data' },
  ...sourceOptions,
} as const

export const openApiCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes an OpenAPI 3.1 document of the service that a source has, or would have: its operations with their
query options, bodies in JSON and answers.

${sourceHelp}`,
  options,
  notes: `  express-odata-v2 openapi northwind.edmx --output openapi.json
  express-odata-v2 openapi https://host/service/ --server https://host/service/ --title Sales`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const source = parseSource(positionals, 'What is to be described?')
    const server = serverOf(values.server) ?? serverOfSource(source)
    const model = await readModel(source, sourceSettings(values), io)
    const document = openApiDocument(model, {
      title: values.title,
      version: values['api-version'],
      readOnly: values['read-only'],
      serviceRoot: server,
    })
    await writeResult(`${JSON.stringify(document, null, 2)}\n`, values.output, io)
    return 0
  },
}

/** The service that a document is read from, without what only the reading of it takes: user, query, `$metadata`. */
function serverOfSource(source: string): string | undefined {
  if (kindOfSource(source) !== 'service' || !URL.canParse(source)) return undefined
  const { origin, pathname } = new URL(source)
  const path = pathname.replace(/\/(?:\$|%24)metadata\/?$/i, '')
  return `${origin}${path.replace(/\/+$/, '')}/`
}

/** @throws UsageError for what is no address of a service */
function serverOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  try {
    const { protocol, search, hash } = new URL(address)
    if ((protocol === 'http:' || protocol === 'https:') && search === '' && hash === '') return address
  } catch (error) {
    throw new UsageError(`--server: ${reasonOf(error)}: '${address}'`)
  }
  throw new UsageError(`--server must be an address such as https://example.org/odata/, not '${address}'.`)
}
