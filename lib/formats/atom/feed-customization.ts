import type { EntityType } from '../../edm/edm-model.js'
import type { SyndicationTarget } from '../../edm/feed-mapping.js'
import { isSyndicationTarget } from '../../edm/feed-mapping.js'
import type { Row } from '../../evaluation/row.js'
import type { EntryPart } from '../entry-template.js'
import type { WriteContext } from '../format.js'
import { text } from '../template-writer.js'
import { customElementsWriter } from './custom-elements.js'
import type { MappedValue } from './mapped-value.js'
import { mappedValue } from './mapped-value.js'
import type { ShownElsewhere } from './properties.js'
import { xhtmlContent } from './xhtml-content.js'

/**
 * The parts of an entry that feed customisations can fill, as writers for one entity type.
 *
 * @spec MS-ODATA 2.2.3.7.2.1 (customizable feeds)
 */
export interface FeedCustomization {
  /** `title`, `updated`, `author` and what else is mapped, in the order in which they stand in an entry. */
  readonly head: readonly EntryPart[]
  /** Elements of other namespaces, which stand at the end of the entry. */
  readonly elements: readonly EntryPart[]
  /** Attributes of the entry itself. */
  readonly attributes: readonly EntryPart[]
  readonly elsewhere: ShownElsewhere
}

type WriteHead = (row: Row, context: WriteContext) => string

/** Only what is mapped depends on the entity in a way that takes more than a template. */
type HeadPart = WriteHead | readonly EntryPart[]

function computed(write: WriteHead): EntryPart {
  return { kind: 'Computed', write: (row, _path, context) => write(row, context) }
}

export function feedCustomization(type: EntityType): FeedCustomization {
  const values = type.feedMappings.flatMap((mapping) => mappedValue(type, mapping) ?? [])
  const byTarget = new Map<SyndicationTarget, MappedValue>()
  const custom: MappedValue[] = []
  for (const value of values) {
    const { targetPath } = value.mapping
    if (isSyndicationTarget(targetPath)) byTarget.set(targetPath, value)
    else custom.push(value)
  }
  const head: (HeadPart | undefined)[] = [
    titleWriter(byTarget.get('SyndicationTitle')),
    updatedWriter(byTarget.get('SyndicationUpdated')),
    authorWriter(byTarget),
    textWriter('rights', byTarget.get('SyndicationRights')),
    textWriter('summary', byTarget.get('SyndicationSummary')),
    publishedWriter(byTarget.get('SyndicationPublished')),
    contributorWriter(byTarget),
  ]
  const { elements, attributes } = customElementsWriter(custom)
  const isCustom = custom.length > 0
  return {
    head: head.flatMap((part) => (typeof part === 'function' ? computed(part) : (part ?? []))),
    elements: isCustom ? [computed(elements)] : [],
    attributes: isCustom ? [computed(attributes)] : [],
    elsewhere: new Set(
      values
        .filter(({ mapping }) => !mapping.keepInContent)
        .map(({ mapping }) => mapping.sourcePath.join('/')),
    ),
  }
}

/** The title is mandatory in Atom, so it is there also without a value. */
function titleWriter(value: MappedValue | undefined): HeadPart {
  if (value === undefined) return [text('<title type="text"></title>')]
  const write = formattedText('title', value)
  return (row) => write(row) ?? '<title type="text"></title>'
}

function textWriter(name: string, value: MappedValue | undefined): WriteHead | undefined {
  if (value === undefined) return undefined
  const write = formattedText(name, value)
  return (row) => write(row) ?? ''
}

/** A text construct of Atom: plain text, escaped HTML, or XHTML that really is some. @spec RFC 4287 3.1 */
function formattedText(name: string, { mapping, read, raw }: MappedValue): (row: Row) => string | undefined {
  const plain = (text: string, type: string): string => `<${name} type="${type}">${text}</${name}>`
  return (row) => {
    const text = read(row)
    if (text === undefined) return undefined
    if (mapping.contentKind !== 'xhtml') return plain(text, mapping.contentKind)
    const content = xhtmlContent(String(raw(row)))
    return content === undefined ? plain(text, 'text') : plain(content, 'xhtml')
  }
}

function updatedWriter(value: MappedValue | undefined): HeadPart {
  if (value === undefined) return [text('<updated>'), { kind: 'Updated' }, text('</updated>')]
  return (row, { updated }) => `<updated>${dateText(value, row) ?? updated}</updated>`
}

function publishedWriter(value: MappedValue | undefined): WriteHead | undefined {
  if (value === undefined) return undefined
  return (row) => {
    const text = dateText(value, row)
    return text === undefined ? '' : `<published>${text}</published>`
  }
}

/** Atom wants a zone; an Edm.DateTime has none and counts as UTC. */
function dateText({ property, read }: MappedValue, row: Row): string | undefined {
  const text = read(row)
  return text !== undefined && property.type === 'Edm.DateTime' ? `${text}Z` : text
}

function authorWriter(values: ReadonlyMap<SyndicationTarget, MappedValue>): HeadPart {
  const write = personWriter(
    'author',
    values.get('SyndicationAuthorName'),
    values.get('SyndicationAuthorUri'),
    values.get('SyndicationAuthorEmail'),
  )
  return write ?? [text('<author><name/></author>')]
}

function contributorWriter(values: ReadonlyMap<SyndicationTarget, MappedValue>): WriteHead | undefined {
  return personWriter(
    'contributor',
    values.get('SyndicationContributorName'),
    values.get('SyndicationContributorUri'),
    values.get('SyndicationContributorEmail'),
  )
}

/** A person construct of Atom, whose name is mandatory. @spec RFC 4287 3.2 */
function personWriter(
  element: 'author' | 'contributor',
  name: MappedValue | undefined,
  uri: MappedValue | undefined,
  email: MappedValue | undefined,
): WriteHead | undefined {
  if (name === undefined && uri === undefined && email === undefined) return undefined
  return (row) => {
    const nameText = name?.read(row)
    const rest = textElement('uri', uri?.read(row)) + textElement('email', email?.read(row))
    if (element === 'contributor' && nameText === undefined && rest === '') return ''
    const nameElement = nameText === undefined ? '<name/>' : `<name>${nameText}</name>`
    return `<${element}>${nameElement}${rest}</${element}>`
  }
}

function textElement(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${text}</${name}>`
}
