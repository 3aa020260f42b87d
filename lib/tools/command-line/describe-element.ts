import type { Annotatable } from '../../edm/annotations.js'
import { annotationValue, sapNamespace } from '../../edm/annotations.js'
import type { FunctionParameter, Property } from '../../edm/edm-model.js'
import { nameOfType } from '../../edm/edm-model.js'

/** What people call an element of the model; undefined when nobody has said it. */
export function labelOf(element: Annotatable): string | undefined {
  return nonEmpty(annotationValue(element, sapNamespace, 'label'))
}

/** What is said about an element beside its label, sentence by sentence. */
export function descriptionsOf(element: Annotatable): string[] {
  const { documentation } = element
  const all = [
    annotationValue(element, sapNamespace, 'quickinfo'),
    documentation?.summary,
    documentation?.longDescription,
  ]
  const label = labelOf(element)
  const given = all.map(nonEmpty).filter((text) => text !== undefined && text !== label)
  return [...new Set(given as string[])]
}

/** The type of a property or parameter with its facets, in words: `Edm.String, at most 40 characters`. */
export function describeType(one: Property | FunctionParameter): string {
  return [nameOfType(one.type), ...describeFacets(one)].join(', ')
}

/** The facets of a property or parameter that say something about its values. */
export function describeFacets(one: Property | FunctionParameter): string[] {
  const { type, maxLength, precision, scale } = one
  const unit = type === 'Edm.Binary' ? 'bytes' : 'characters'
  const isFixed = 'fixedLength' in one && one.fixedLength === true
  return [
    ...(typeof maxLength === 'number'
      ? [`${isFixed ? 'exactly' : 'at most'} ${String(maxLength)} ${unit}`]
      : []),
    ...(precision === undefined ? [] : [`precision ${String(precision)}`]),
    ...(scale === undefined ? [] : [`scale ${String(scale)}`]),
    ...('kind' in one ? facetsOfProperty(one) : []),
  ]
}

function facetsOfProperty({
  defaultValue,
  concurrencyMode,
  storeGeneratedPattern: made,
  mimeType,
}: Property): string[] {
  return [
    ...(defaultValue === undefined ? [] : [`by default ${JSON.stringify(defaultValue)}`]),
    ...(concurrencyMode === 'Fixed' ? ['part of the ETag'] : []),
    ...(made === 'Identity' ? ['made by the service for new entities'] : []),
    ...(made === 'Computed' ? ['made by the service'] : []),
    ...(mimeType === undefined ? [] : [mimeType]),
  ]
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A doc comment of some lines; nothing when there are none. */
export function docComment(lines: readonly string[], indent = ''): string {
  const all = lines
    .flatMap((line) => line.split(/\r?\n/))
    .map((line) => line.trim().replaceAll('*/', '*\\/'))
    .filter((line) => line !== '')
  const [only = ''] = all
  if (all.length === 0) return ''
  if (all.length === 1) return `${indent}/** ${only} */\n`
  return `${indent}/**\n${all.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}
