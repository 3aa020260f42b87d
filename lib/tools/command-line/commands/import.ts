import { printModel } from '../../../csdl/print-model.js'
import { writeEdmx } from '../../../csdl/write-edmx.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import type { Command } from '../command.js'
import { docComment } from '../doc-comment.js'
import { commentsIn, keptWithoutMeaning } from '../kept-without-meaning.js'
import { oneOf, onlySource, parseWords } from '../option-table.js'
import { readSource, sourceKinds, sourceOptions, sourceSettings } from '../read-model.js'
import { titleOf } from '../source-kind.js'
import { forceOption, writeEditable } from '../write-editable.js'
import { outputOption, writeResult } from '../write-result.js'

const options = {
  output: outputOption,
  format: {
    type: 'string',
    value: '<format>',
    text: 'typescript: a module with defineModel (default); edmx: a metadata document',
  },
  force: forceOption,
  ...sourceOptions,
} as const

export const importCommand: Command = {
  synopsis: '<source> [options]',
  description: `Writes the model of a source as a TypeScript module that makes it with defineModel: to be read and
edited, and to infer the types of rows from.

${sourceKinds}`,
  options,
  notes: `  express-odata-v2 import northwind.edmx --output model.ts
  express-odata-v2 import https://host/sap/opu/odata/SALES/?sap-client=100 --header 'Authorization: Bearer ...'
  express-odata-v2 import northwind.sqlite --format edmx`,
  async run(words, io) {
    const { values, positionals } = parseWords(words, options)
    const source = onlySource(positionals, 'What is to be imported?')
    const format = oneOf('--format', values.format, ['typescript', 'edmx'])
    const { model, document = '' } = await readSource(source, sourceSettings(values), io)
    if (format === 'edmx') {
      await writeResult(`${writeEdmx(model)}\n`, values.output, io)
      return 0
    }
    const losses = lossesOf(model, document)
    for (const loss of losses) io.complain(`${io.complaintStyle.yellow('Note:')} ${loss}`)
    const title = `The model of ${titleOf(source)}. Made by express-odata-v2 import; it may be edited.`
    const module = docComment([title, ...losses]) + printModel(model)
    await writeEditable(module, values.output, values.force ?? false, io)
    return 0
  },
}

/** What the module does not say, or says without effect. */
function lossesOf(model: EdmModel, document: string): string[] {
  const kept = keptWithoutMeaning(model)
  const comments = commentsIn(document)
  return [
    ...(kept.length === 0
      ? []
      : [`Kept as annotations, because it means nothing in version 2 of OData: ${kept.join(', ')}.`]),
    ...(comments === 0
      ? []
      : [`Left out: ${String(comments)} comment${comments === 1 ? '' : 's'} of the document.`]),
  ]
}
