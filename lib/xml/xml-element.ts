/** An element with resolved namespaces, without comments and processing instructions. */
export interface XmlElement {
  /** Empty when the element is in no namespace. */
  readonly namespace: string
  /** Empty when the element stood in a default namespace. */
  readonly prefix: string
  readonly name: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly (XmlElement | string)[]
}

export interface XmlAttribute {
  /** Empty for an attribute without prefix. */
  readonly namespace: string
  readonly prefix: string
  readonly name: string
  readonly value: string
}

/** Returns the value of an attribute, by default of one without namespace. */
export function attributeOf(element: XmlElement, name: string, namespace = ''): string | undefined {
  return element.attributes.find((one) => one.name === name && one.namespace === namespace)?.value
}

export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== 'string')
}

/** Returns the text of an element and its descendants. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}

/** Returns the first child element with a name. */
export function childNamed(element: XmlElement, namespace: string, name: string): XmlElement | undefined {
  return childElements(element).find((child) => child.namespace === namespace && child.name === name)
}

/** Returns the text nodes of an element, without the text of its child elements. */
export function ownText(element: XmlElement): string {
  return element.children.filter((child) => typeof child === 'string').join('')
}

/** Formats the name of an element for error messages, with its namespace: a wrong namespace is a frequent mistake. */
export function describeElement({ name, namespace }: XmlElement): string {
  return namespace === '' ? `<${name}> without namespace` : `<${name}> of the namespace '${namespace}'`
}
