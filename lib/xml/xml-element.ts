/** An element with its names resolved and everything in it. Comments and processing instructions are left out. */
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

/** The value of an attribute without prefix, or of one in a namespace. */
export function attributeOf(element: XmlElement, name: string, namespace = ''): string | undefined {
  return element.attributes.find((one) => one.name === name && one.namespace === namespace)?.value
}

/** The elements directly inside, without the text between them. */
export function childElements(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => typeof child !== 'string')
}

/** All text inside, in order. */
export function textOf(element: XmlElement): string {
  return element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}
