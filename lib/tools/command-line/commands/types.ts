import type { Command } from '../command.js'
import { oneOf, onlySource, parseWords } from '../option-table.js'
import { readModel, sourceKinds, sourceOptions, sourceSettings } from '../read-model.js'
import { printRowTypes } from '../row-types/print-row-types.js'
import { titleOf } from '../source-kind.js'
import { outputOption, writeResult } from '../write-result.js'

const options = {
  output: outputOption,
  values: {
    type: 'string',
    value: '<kind>',
    text: 'json: values as verbose JSON has them, for clients (default); javascript: as providers are given them',
  },
  ...sourceOptions,
} as const

export const typesCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes TypeScript interfaces for the rows of a source: entities as they are read, their keys, and new ones.
The module needs no other.

${sourceKinds}`,
  options,
  notes: `  express-odata-v2 types northwind.edmx --output northwind.ts
  express-odata-v2 types https://host/service/ --values javascript`,
  async run(words, io) {
    const { values, positionals } = parseWords(words, options)
    const source = onlySource(positionals, 'Of what are the types wanted?')
    const kind = oneOf('--values', values.values, ['json', 'javascript'])
    const model = await readModel(source, sourceSettings(values), io)
    await writeResult(printRowTypes(model, titleOf(source), kind), values.output, io)
    return 0
  },
}
