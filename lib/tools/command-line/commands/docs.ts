import type { Command } from '../command.js'
import { printDocumentation } from '../documentation/print-documentation.js'
import { onlySource, parseWords } from '../option-table.js'
import { readModel, sourceKinds, sourceOptions, sourceSettings } from '../read-model.js'
import { titleOf } from '../source-kind.js'
import { outputOption, writeResult } from '../write-result.js'

const options = { output: outputOption, ...sourceOptions }

export const docsCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes the model of a source as Markdown for people to read: entity sets, types with their properties and
where they lead, functions, and a Mermaid diagram.

${sourceKinds}`,
  options,
  notes: '  express-odata-v2 docs northwind.edmx --output northwind.md',
  async run(words, io) {
    const { values, positionals } = parseWords(words, options)
    const source = onlySource(positionals, 'What is to be documented?')
    const model = await readModel(source, sourceSettings(values), io)
    await writeResult(printDocumentation(model, titleOf(source)), values.output, io)
    return 0
  },
}
