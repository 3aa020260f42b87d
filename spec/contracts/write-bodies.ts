import { parseXml } from '../../lib/xml/parse-xml.js'
import type { XmlElement } from '../../lib/xml/xml-element.js'
import { descendantsNamed, textOf } from '../support/xml-tree.js'

const data = 'http://schemas.microsoft.com/ado/2007/08/dataservices'
const related = `${data}/related/`

/** Text as it stands in a document; the control characters that XML can hold as references. */
function escaped(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The properties of an Atom entry. Types need not be said: the service knows them. */
function propertiesOf(values: Readonly<Record<string, string | null>>): string {
  return Object.entries(values)
    .map(([name, value]) =>
      value === null ? `<d:${name} m:null="true"/>` : `<d:${name}>${escaped(value)}</d:${name}>`,
    )
    .join('')
}

/** The links of an Atom entry: addresses of existing entities, or inline entries. */
interface AtomLinks {
  readonly bound?: Readonly<Record<string, string>>
  readonly inline?: Readonly<Record<string, readonly string[]>>
}

/** An Atom entry for a type of the write model. */
export function atomBody(
  type: string,
  values: Readonly<Record<string, string | null>>,
  { bound = {}, inline = {} }: AtomLinks = {},
): string {
  const links = [
    ...Object.entries(bound).map(([name, href]) => `<link rel="${related}${name}" href="${href}"/>`),
    ...Object.entries(inline).map(([name, entries]) => {
      const feed = `<m:inline><feed>${entries.join('')}</feed></m:inline>`
      return `<link rel="${related}${name}" type="application/atom+xml;type=feed" href="x">${feed}</link>`
    }),
  ]
  return (
    `<entry xmlns="http://www.w3.org/2005/Atom" xmlns:d="${data}" xmlns:m="${data}/metadata">` +
    `<category term="Works.${type}" scheme="${data}/scheme"/>${links.join('')}` +
    `<content type="application/xml"><m:properties>${propertiesOf(values)}</m:properties></content></entry>`
  )
}

/** The value of a property in an Atom entry or a property document; null when it says so. */
export function atomValue(document: string, name: string): string | null | undefined {
  const tree = parseXml(document)
  const [element] = tree.name === name ? [tree] : descendantsNamed(tree, name)
  if (element === undefined) return undefined
  return isNull(element) ? null : textOf(element)
}

function isNull({ attributes }: XmlElement): boolean {
  return attributes.some(({ name, value }) => name === 'null' && value === 'true')
}
