import { isDeepStrictEqual } from 'node:util'
import type { Annotatable, Documentation } from '../edm/annotations.js'
import { annotated } from '../edm/build/annotated.js'
import type { ModelErrors } from '../edm/build/model-error.js'
import type { AnnotatedDefinition } from '../edm/model-definition.js'
import { didYouMean } from '../errors/suggestions.js'
import { csdl4Namespace, edmNamespaces, xmlNamespace } from '../xml/namespaces.js'
import type { XmlAttribute, XmlElement } from '../xml/xml-element.js'
import { attributeOf, childElements } from '../xml/xml-element.js'

/**
 * Reads one element of CSDL and records which attributes and children were read. The rest, such as elements of other
 * namespaces and constructs of later versions, is preserved as annotations.
 */
export class CsdlReader {
  /** The attributes and child elements that were not read. */
  private readonly attributes: (XmlAttribute | undefined)[]
  private readonly elements: (XmlElement | undefined)[]
  private unread: number
  private parts: [string, Annotatable][] | undefined

  constructor(
    readonly element: XmlElement,
    readonly place: string,
    readonly errors: ModelErrors,
  ) {
    this.attributes = element.attributes.slice()
    this.elements = element.children.length === 0 ? noElements : childElements(element)
    this.unread = this.attributes.length + this.elements.length
  }

  /** Reads a string attribute; attributes of CSDL have no namespace. */
  attribute(name: string, namespace = ''): string | undefined {
    const { attributes } = this.element
    for (let index = 0; index < attributes.length; index++) {
      const one = attributes[index]
      if (one?.name !== name || one.namespace !== namespace) continue
      if (this.attributes[index] !== undefined) this.unread--
      this.attributes[index] = undefined
      return one.value
    }
    return undefined
  }

  /**
   * Reads a mandatory attribute and reports if it is missing.
   *
   * @param instead the value to continue with if it is missing
   */
  required(name: string, instead = ''): string {
    const value = this.attribute(name)
    if (value === undefined)
      this.errors.add(this.place, `<${this.element.name}> needs the attribute ${name}.`)
    return value ?? instead
  }

  boolean(name: string, namespace = ''): boolean | undefined {
    const value = this.attribute(name, namespace)?.trim()
    if (value === undefined) return undefined
    if (value !== 'true' && value !== 'false' && value !== '1' && value !== '0') {
      this.errors.add(this.place, `${name} must be true or false, not '${value}'.`)
    }
    return value === 'true' || value === '1'
  }

  number(name: string): number | undefined {
    const value = this.attribute(name)?.trim()
    if (value === undefined) return undefined
    if (/^\d+$/.test(value)) return Number(value)
    this.errors.add(this.place, `${name} must be a non-negative integer, not '${value}'.`)
    return undefined
  }

  /** @param anyCase whether upper and lower case are equal */
  oneOf<T extends string>(
    name: string,
    values: readonly T[],
    namespace = '',
    anyCase = false,
  ): T | undefined {
    const value = this.attribute(name, namespace)
    if (value === undefined) return undefined
    const found = values.find((one) => one === (anyCase ? value.toUpperCase() : value))
    if (found === undefined) {
      const expected = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
      this.errors.add(this.place, `${name} must be ${expected}, not '${value}'.${didYouMean(value, values)}`)
    }
    return found
  }

  /**
   * Reads the child elements with a name.
   *
   * @param namespaces the accepted namespaces; by default that of this element
   */
  children(name: string, namespaces?: { has(namespace: string): boolean }): CsdlReader[] {
    const found: CsdlReader[] = []
    for (let index = 0; index < this.elements.length; index++) {
      const child = this.elements[index]
      if (child?.name !== name) continue
      if (!(namespaces?.has(child.namespace) ?? child.namespace === this.element.namespace)) continue
      this.markElement(index)
      const label = attributeOf(child, 'Name')
      found.push(
        new CsdlReader(child, label === undefined ? this.place : `${this.place}.${label}`, this.errors),
      )
    }
    return found
  }

  private markElement(index: number): void {
    this.elements[index] = undefined
    this.unread--
  }

  /** Reads the only child element with a name. */
  child(name: string): CsdlReader | undefined {
    if (this.elements.length === 0) return undefined
    const [first, second] = this.children(name)
    if (second !== undefined) this.errors.add(this.place, `there are two <${name}>; only one is allowed.`)
    return first
  }

  /**
   * Reads the value of a Boolean annotation of version 4; true without a value. Other annotations of the term are left
   * to `rest`.
   */
  booleanTerm(term: string): boolean | undefined {
    const index = this.elements.findIndex(
      (one) =>
        one?.namespace === csdl4Namespace &&
        one.children.length === 0 &&
        attributeOf(one, 'Term') === term &&
        one.attributes.every(({ name, value }) =>
          name === 'Bool' ? /^(?:true|false)$/.test(value) : name === 'Term',
        ),
    )
    const found = this.elements[index]
    if (found === undefined) return undefined
    this.markElement(index)
    return attributeOf(found, 'Bool') !== 'false'
  }

  /**
   * Preserves the unread rest of a child that has no object in the model. Call it after reading the child.
   *
   * @param name the key among the parts of this element
   */
  preserve(name: string, part: CsdlReader): void {
    const rest = part.rest()
    if (Object.keys(rest).length > 0) (this.parts ??= []).push([name, annotated(rest)])
  }

  /**
   * Reads child elements by their names and reports duplicates.
   *
   * @param rules `mayRepeat`: whether equal duplicates are accepted; `skip`: returns why a child is skipped
   */
  named<T>(
    name: string,
    read: (child: CsdlReader) => T,
    { mayRepeat = false, skip = collectionProperty }: NamedRules = {},
  ): Record<string, T> {
    // Without prototype: names such as `__proto__` are members, and types do not get a hidden class each.
    const members = Object.create(null) as Record<string, T>
    for (const child of this.children(name)) {
      const key = child.required('Name')
      const reason = skip(child)
      if (reason !== undefined) {
        this.errors.notices.push(`${child.place} was skipped: ${reason}.`)
        continue
      }
      const member = read(child)
      const earlier = members[key]
      if (earlier === undefined) members[key] = member
      else if (!mayRepeat) this.errors.add(this.place, `there are two <${name}> with the Name '${key}'.`)
      else if (!isDeepStrictEqual(earlier, member)) {
        this.errors.add(this.place, `there are two <${name}> with the Name '${key}' and different content.`)
      }
    }
    return members
  }

  /** Returns the documentation, and as annotations everything that was not read. Call it last. */
  rest(): AnnotatedDefinition {
    if (this.unread === 0 && this.parts === undefined) return nothing
    const documentation = this.documentation()
    const { unread, parts } = this
    if (unread === 0 && parts === undefined) return documentation === undefined ? nothing : { documentation }
    const attributes = this.attributes.filter((one) => one !== undefined)
    const elements = this.elements.filter((one) => one !== undefined).map(withoutIndentation)
    const annotations = parts
      ? { attributes, elements, parts: Object.fromEntries(parts) }
      : { attributes, elements }
    return documentation === undefined ? { annotations } : { documentation, annotations }
  }

  private documentation(): Documentation | undefined {
    if (this.elements.length === 0 || !edmNamespaces.has(this.element.namespace)) return undefined
    const reader = this.child('Documentation')
    if (reader === undefined) return undefined
    const text = (name: string): string | undefined => {
      const child = reader.child(name)
      if (child !== undefined) reader.preserve(name, child)
      return child && ownText(child.element)
    }
    const documentation = defined({ summary: text('Summary'), longDescription: text('LongDescription') })
    this.preserve('Documentation', reader)
    return documentation
  }
}

const nothing: AnnotatedDefinition = Object.freeze({})
const noElements: XmlElement[] = []

/** Rules for child elements with names. */
interface NamedRules {
  readonly mayRepeat?: boolean
  readonly skip?: (child: CsdlReader) => string | undefined
}

function collectionProperty({ element }: CsdlReader): string | undefined {
  const isCollection = attributeOf(element, 'Type')?.startsWith('Collection(') === true
  return isCollection ? 'OData V2 has no collection properties' : undefined
}

/** Returns the text of an element without that of its children, which are preserved as annotations. */
function ownText({ children }: XmlElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}

/** Returns an element without white space that only indents it. */
function withoutIndentation(element: XmlElement): XmlElement {
  const { namespace, prefix, name, attributes, children } = element
  const isLayout =
    childElements(element).length > 0 &&
    attributeOf(element, 'space', xmlNamespace) !== 'preserve' &&
    children.every((child) => typeof child !== 'string' || child.trim() === '')
  const content = isLayout ? childElements(element) : children
  return {
    // Without a spread, all elements share one hidden class: models keep tens of thousands of them.
    namespace,
    prefix,
    name,
    attributes,
    children: content.map((child) => (typeof child === 'string' ? child : withoutIndentation(child))),
  }
}

/** Omits members that are undefined. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}

export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }
