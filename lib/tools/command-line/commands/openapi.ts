import { openApiDocument } from '../../openapi/openapi-document.js'
import type { Command } from '../command.js'
import { UsageError } from '../errors.js'
import { reasonOf } from '../../../util/thrown-error.js'
import { defaultFormatOption, parseArgs, parseDefaultFormat, parseSource } from '../parse-args.js'
import { readModel, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'
import { kindOfSource } from '../source-kind.js'
import { outputOption, writeResult } from '../command.js'

const options = {
  output: outputOption,
  title: {
    type: 'string',
    value: '<text>',
    text: 'the title of the document (default: the entity container)',
  },
  'api-version': { type: 'string', value: '<text>', text: 'the version of the API (default 1.0.0)' },
  server: {
    type: 'string',
    value: '<url>',
    text: 'the URL of the service (default: the URL of the source)',
  },
  'default-format': defaultFormatOption,
  batch: { type: 'boolean', text: 'describe $batch too' },
  'read-only': { type: 'boolean', text: 'omit operations that change data' },
  ...sourceOptions,
} as const

export const openApiCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes an OpenAPI 3.1 document for the service of a source: operations with their query options, request bodies
in JSON and responses.

${sourceHelp}`,
  options,
  notes: `  express-odata-v2 openapi northwind.edmx --output openapi.json
  express-odata-v2 openapi https://host/service/ --server https://host/service/ --title Sales`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const source = parseSource(positionals, 'Which source do you want to describe?')
    const server = serverOf(values.server) ?? serverOfSource(source)
    const model = await readModel(source, sourceSettings(values), io)
    const document = openApiDocument(model, {
      title: values.title,
      version: values['api-version'],
      batch: values.batch,
      defaultFormat: parseDefaultFormat(values['default-format']),
      readOnly: values['read-only'],
      serviceRoot: server,
    })
    await writeResult(`${JSON.stringify(document, null, 2)}\n`, values.output, io)
    return 0
  },
}

/** Returns the service root of a source, without credentials, query and `$metadata`. */
function serverOfSource(source: string): string | undefined {
  if (kindOfSource(source) !== 'service' || !URL.canParse(source)) return undefined
  const { origin, pathname } = new URL(source)
  const path = pathname.replace(/\/(?:\$|%24)metadata\/?$/i, '')
  return `${origin}${path.replace(/\/+$/, '')}/`
}

/** @throws UsageError unless it is an absolute URL without query and fragment */
function serverOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  try {
    const { protocol, search, hash } = new URL(address)
    if ((protocol === 'http:' || protocol === 'https:') && search === '' && hash === '') return address
  } catch (error) {
    throw new UsageError(`--server: ${reasonOf(error)}: '${address}'`)
  }
  throw new UsageError(`--server must be a URL such as https://example.org/odata/, not '${address}'.`)
}
