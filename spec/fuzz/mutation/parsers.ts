import { ModelError } from '../../../lib/edm/build/model-error.js'
import { primitiveTypes } from '../../../lib/edm/primitive-types/primitive-types.js'
import type { BatchPart } from '../../../lib/batch/batch-part.js'
import { parseBatch } from '../../../lib/batch/parse-batch.js'
import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import { writeEdmx } from '../../../lib/csdl/write-edmx.js'
import { atomFormat } from '../../../lib/formats/atom/atom-format.js'
import type { Format } from '../../../lib/formats/format.js'
import { jsonFormat } from '../../../lib/formats/json/json-format.js'
import type { EntityPayload } from '../../../lib/formats/payload.js'
import { bindKeyPredicate } from '../../../lib/query/bind-key-predicate.js'
import { naturalLiteral } from '../../../lib/query/bind-literal.js'
import { bindQueryOptions, checkQueryOptions } from '../../../lib/query/bind-query-options.js'
import { bindResourcePath } from '../../../lib/query/bind-resource-path.js'
import type { Literal } from '../../../lib/query/expression.js'
import { parseFilter, parseOrderBy } from '../../../lib/uri/parse-expression.js'
import { parsePathSegment, splitRelativeUri } from '../../../lib/uri/split-resource-path.js'
import { parseLiteral } from '../../../lib/uri/parse-literal.js'
import { parseQueryOptions } from '../../../lib/uri/parse-query-options.js'
import { percentEncode } from '../../../lib/uri/percent-encoding.js'
import { Scanner } from '../../../lib/uri/scanner.js'
import type { PathSegmentSyntax } from '../../../lib/uri/syntax-tree.js'
import { XmlError } from '../../../lib/xml/parse-xml.js'
import { modelAsData } from '../../support/model-as-data.js'
import { expanding, readOptions, serializedEntity } from '../../support/payload-documents.js'
import { printExpression } from '../../support/print-expression.js'
import { protocolModel, setNamed } from '../../support/protocol-model.js'
import { withoutPositions } from '../../support/random-syntax-trees.js'
import { attempt, mustEqual } from './check-input.js'
import { printBatch } from './print-batch.js'

/**
 * Parses an input; prints accepted input and parses it again.
 *
 * @param input one character for each byte
 * @throws errors that clients must not get
 */
export type FuzzedParser = (input: string) => void | Promise<void>

/** The characters that the bytes stand for. */
function textOf(input: string): string {
  return Buffer.from(input, 'latin1').toString('utf8')
}

const limits = {
  ...{ expressionDepth: 100, expressionNodes: 1000, orderByTerms: 20 },
  ...{ expandDepth: 5, expandPaths: 20, top: 2_147_483_647 },
}

function fuzzPath(input: string): void {
  const text = textOf(input)
  attempt(() => {
    const { segments } = splitRelativeUri(text)
    // A quote that stands alone has no form that could not be the opening of the next one.
    if (segments.every((segment) => segment.split("'").length % 2 === 1)) {
      mustEqual(splitRelativeUri(`/${segments.map(percentEncode).join('/')}`).segments, segments)
    }
  })
  attempt(() => {
    const { segments, query } = splitRelativeUri(text)
    const options = parseQueryOptions(query)
    const target = bindResourcePath(segments, protocolModel, options)
    checkQueryOptions(options, target, new Set())
    bindQueryOptions(options, target, setNamed('Products'), protocolModel, limits)
  })
}

function fuzzExpression(input: string): void {
  const text = textOf(input)
  const filter = attempt(() => parseFilter(text, { limits }))
  if (filter !== undefined) {
    // Not as what a client sends: what was accepted must be accepted again.
    mustEqual(withoutPositions(parseFilter(printExpression(filter))), withoutPositions(filter))
  }
  for (const { expression } of attempt(() => parseOrderBy(text, { limits })) ?? []) {
    mustEqual(withoutPositions(parseFilter(printExpression(expression))), withoutPositions(expression))
  }
}

function literalIn(text: string): Literal | undefined {
  const scanner = new Scanner(text, '$filter')
  const syntax = parseLiteral(scanner)
  return syntax === undefined || !scanner.atEnd ? undefined : naturalLiteral(syntax)
}

function fuzzLiteral(input: string): void {
  const literal = attempt(() => literalIn(textOf(input)))
  if (literal === undefined || literal.type === null) return
  const printed = primitiveTypes[literal.type].formatLiteral(literal.value)
  mustEqual(withOneZero(literalIn(printed)), withOneZero(literal))
}

/** There is one zero on the wire. */
function withOneZero(literal: Literal | undefined): Literal | undefined {
  return literal?.value === 0 ? { ...literal, value: 0 } : literal
}

function printSegment({ name, key }: PathSegmentSyntax): string {
  if (key === undefined) return name
  const values = key.values.map((one) => {
    const text = printExpression(one.literal)
    return one.name === undefined ? text : `${one.name}=${text}`
  })
  return `${name}(${values.join(',')})`
}

function comparableSegment({ name, key }: PathSegmentSyntax): unknown {
  return { name, key: key?.values.map((one) => [one.name, one.literal.form, one.literal.text]) }
}

function fuzzKey(input: string): void {
  const segment = attempt(() => parsePathSegment(textOf(input)))
  if (segment === undefined) return
  mustEqual(comparableSegment(parsePathSegment(printSegment(segment))), comparableSegment(segment))
  const { key } = segment
  if (key === undefined) return
  for (const set of protocolModel.defaultContainer.entitySets) {
    attempt(() => bindKeyPredicate(key, set.entityType))
  }
}

/** The document of what was read, which must be the same document once it was read again. */
function printEntity(format: Format, { values, typeName }: EntityPayload): string | undefined {
  if (values.ID === undefined || values.ID === null) return undefined
  return serializedEntity(format, expanding('Products'), {
    ...values,
    ...(typeName ? { $type: typeName } : {}),
  })
}

function fuzzEntity(format: Format): FuzzedParser {
  const product = setNamed('Products').entityType
  return (input) => {
    const text = textOf(input)
    for (const ignoreUnknown of [false, true]) {
      const payload = attempt(() => format.read.entity(text, product, { ...readOptions, ignoreUnknown }))
      const printed = payload === undefined ? undefined : printEntity(format, payload)
      if (printed === undefined) continue
      mustEqual(printEntity(format, format.read.entity(printed, product, readOptions)), printed)
    }
    for (const property of product.properties.filter(({ name }) => name === 'Dims' || name === 'Name')) {
      attempt(() => format.read.property(text, property))
    }
    attempt(() => format.read.link(text))
  }
}

const batchLimits = { batchParts: 100, changeSetRequests: 1000, batchRequests: 1000, batchBytes: 1_000_000 }

async function fuzzBatch(input: string): Promise<void> {
  const bytes = Buffer.from(input, 'latin1')
  const parts = await parseBatch(bytes, 'b', batchLimits).catch((error: unknown) =>
    attempt<undefined>(() => {
      throw error
    }),
  )
  if (parts === undefined) return
  const printed = printBatch(parts)
  const again = await parseBatch(printed.bytes, printed.boundary, batchLimits)
  mustEqual(again.map(comparablePart), parts.map(comparablePart))
}

/** Empty values of a header that is there twice are a comma with blanks, which are cut off when it is read. */
function comparablePart(part: BatchPart): unknown {
  const requests = part.kind === 'Request' ? [part.request] : part.requests
  return [
    { ...part, request: undefined, requests: undefined },
    requests.map((one) => ({
      ...one,
      headers: [...one.headers].map(([name, value]) => [name, value.trim()]),
    })),
  ]
}

function fuzzEdmx(input: string): void {
  let model
  try {
    model = readEdmx(textOf(input))
  } catch (error) {
    const isNameOfFile = error instanceof TypeError && error.message.startsWith('readEdmx takes')
    if (error instanceof ModelError || error instanceof XmlError || isNameOfFile) return
    throw error
  }
  const written = writeEdmx(model)
  const again = readEdmx(written)
  mustEqual(withoutPrefixes(modelAsData(again)), withoutPrefixes(modelAsData(model)))
  mustEqual(writeEdmx(again), written)
}

/** Prefixes are a matter of the document: the writer has its own for namespaces that several could claim. */
function withoutPrefixes(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutPrefixes)
  if (typeof data !== 'object' || data === null) return data
  const members = Object.entries(data).filter(([name]) => name !== 'prefix')
  return Object.fromEntries(members.map(([name, value]) => [name, withoutPrefixes(value)]))
}

/** All fuzzed parsers, by the names of their folders in the corpus. */
export const parsers = {
  path: fuzzPath,
  expression: fuzzExpression,
  literal: fuzzLiteral,
  key: fuzzKey,
  atom: fuzzEntity(atomFormat),
  json: fuzzEntity(jsonFormat),
  batch: fuzzBatch,
  edmx: fuzzEdmx,
} satisfies Readonly<Record<string, FuzzedParser>>
