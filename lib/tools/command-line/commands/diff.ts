import { compareModels } from '../../model-diff/compare-models.js'
import { changeFormats, printChanges } from '../changes/change-formats.js'
import type { Command, CommandIo } from '../command.js'
import { UsageError } from '../faults.js'
import { oneOf, parseWords } from '../option-table.js'
import { readModel, sourceKinds, sourceOptions, sourceSettings } from '../read-model.js'
import { textStyle } from '../text-style.js'
import { outputOption, writeResult } from '../write-result.js'

const options = {
  format: { type: 'string', value: '<format>', text: 'text (default), json or markdown' },
  output: outputOption,
  ...sourceOptions,
} as const

export const diffCommand: Command = {
  synopsis: '<old> <new> [options]',
  description: `Says what clients that were made for the old model find different in the new one, and what of that breaks them.

${sourceKinds}`,
  options,
  notes: `  express-odata-v2 diff released.edmx model.edmx
  express-odata-v2 diff https://host/service/ model.edmx --format markdown --output changes.md

Ends with 1 when a change is breaking, and with 0 when none is.`,
  async run(words, io) {
    const { values, positionals } = parseWords(words, options)
    const [before, after] = twoSources(positionals)
    const format = oneOf('--format', values.format, changeFormats)
    const settings = sourceSettings(values)
    const changes = compareModels(await readModel(before, settings, io), await readModel(after, settings, io))
    await writeResult(printChanges(changes, format, styleFor(values.output, io)), values.output, io)
    return changes.some(({ breaking }) => breaking) ? 1 : 0
  },
}

function twoSources([before, after, ...others]: readonly string[]): readonly [string, string] {
  if (before === undefined || after === undefined)
    throw new UsageError('What is to be compared? Name the old and the new model.')
  if (others.length > 0) throw new UsageError(`Two models are compared, not also '${others.join("', '")}'.`)
  if (before === '-' && after === '-')
    throw new UsageError('Only one of the models can be on standard input.')
  return [before, after]
}

/** Files have no colours. */
function styleFor(output: string | undefined, { style }: CommandIo): CommandIo['style'] {
  return output === undefined ? style : textStyle(false)
}
