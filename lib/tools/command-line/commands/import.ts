import { printModel } from '../../../csdl/print-model.js'
import { writeEdmx } from '../../../csdl/write-edmx.js'
import type { EdmModel } from '../../../edm/edm-model.js'
import type { Command, CommandIo } from '../command.js'
import { docComment } from '../describe-element.js'
import { parseChoice, parseSource, parseArgs } from '../parse-args.js'
import { readSource, sourceHelp, sourceOptions, sourceSettings } from '../read-model.js'
import { titleOf } from '../source-kind.js'
import { outputOption, writeResult } from '../command.js'
import { annotatablesOf } from '../../../csdl/annotatables.js'
import { edmNamespaces } from '../../../xml/namespaces.js'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { codeOf, reasonOf, SourceError } from '../errors.js'
import type { OptionRow } from '../parse-args.js'

/** The option of commands that make what people go on writing. */
const forceOption = {
  type: 'boolean',
  text: 'write over a file that has been changed since, or that is not of this command',
} as const satisfies OptionRow

const mark = /^\/\/ As made, until it is edited: ([\da-f]{16})\r?\n/

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

${sourceHelp}`,
  options,
  notes: `  express-odata-v2 import northwind.edmx --output model.ts
  express-odata-v2 import https://host/sap/opu/odata/SALES/?sap-client=100 --header 'Authorization: Bearer ...'
  express-odata-v2 import northwind.sqlite --format edmx`,
  async run(words, io) {
    const { values, positionals } = parseArgs(words, options)
    const source = parseSource(positionals, 'What is to be imported?')
    const format = parseChoice('--format', values.format, ['typescript', 'edmx'])
    const { model, document = '' } = await readSource(source, sourceSettings(values), io)
    if (format === 'edmx') {
      await writeResult(`${writeEdmx(model)}\n`, values.output, io)
      return 0
    }
    const losses = lossesOf(model, document)
    for (const loss of losses) io.error(`${io.errorStyle.yellow('Note:')} ${loss}`)
    const title = `The model of ${titleOf(source)}. Made by express-odata-v2 import; it may be edited.`
    const module = docComment([title, ...losses]) + printModel(model)
    await writeEditable(module, values.output, values.force ?? false, io)
    return 0
  },
}

/** What the module does not say, or says without effect. */
function lossesOf(model: EdmModel, document: string): string[] {
  const kept = ignoredAnnotations(model)
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

/**
 * What a document says in CSDL that means nothing in version 2 of OData: enumerations, bound functions. The model keeps
 * it as annotations, so that it is written again, but nothing of it is served.
 *
 * @returns `<EnumType>`, `IsBindable=`, each once with how often it is there
 */
function ignoredAnnotations(model: EdmModel): string[] {
  const counts = new Map<string, number>()
  for (const { annotations } of annotatablesOf(model)) {
    const attributes = annotations.attributes.filter(({ namespace }) => namespace === '')
    const elements = annotations.elements.filter(({ namespace }) => edmNamespaces.has(namespace))
    const names = [...elements.map(({ name }) => `<${name}>`), ...attributes.map(({ name }) => `${name}=`)]
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${String(count)} times)`))
}

/** How many comments a document has: they are no part of a model. */
function commentsIn(document: string): number {
  const sections = document.match(/<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>/g) ?? []
  return sections.filter((section) => section.startsWith('<!--')).length
}

/**
 * Writes a TypeScript module that is there to be edited. Its first line says what the rest was when it was made: a
 * file that is still the same is written over, and any other only by force.
 *
 * @throws SourceError when there is a file that would be lost
 */
async function writeEditable(
  text: string,
  file: string | undefined,
  force: boolean,
  io: CommandIo,
): Promise<void> {
  if (file === undefined || file === '-') {
    await writeResult(text, file, io)
    return
  }
  if (!force && !isAsMade(await textIn(file))) {
    throw new SourceError(
      `'${file}' has been edited, or was not made by this command. --force writes over it; --output names another file.`,
    )
  }
  await writeResult(`// As made, until it is edited: ${digestOf(text)}\n${text}`, file, io)
}

function isAsMade(text: string | undefined): boolean {
  if (text === undefined || text.trim() === '') return true
  const digest = mark.exec(text)?.[1]
  return digest !== undefined && digest === digestOf(text.replace(mark, ''))
}

/** Line ends are those of the system where files are checked out. */
function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 16)
}

async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    // Whatever else is wrong with it is said when it is written.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' || codeOf(error) === 'EISDIR')
      return undefined
    throw new SourceError(`'${file}' cannot be read: ${reasonOf(error)}`)
  }
}
