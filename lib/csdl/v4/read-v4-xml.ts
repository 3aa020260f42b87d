import type { ModelErrors } from '../../edm/build/model-error.js'
import { ModelError } from '../../edm/build/model-error.js'
import { vocabularyAliases } from '../../edm/vocabularies/vocabularies.js'
import { csdl4Namespace, edmx4Namespace } from '../../xml/namespaces.js'
import { parseXml } from '../../xml/parse-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { attributeOf, childElements } from '../../xml/xml-element.js'
import { withFullNames } from '../annotations/parse-annotations.js'
import { V4Annotations } from './v4-annotations.js'
import type {
  V4Container,
  V4Document,
  V4SetElement,
  V4EnumType,
  V4KeyReference,
  V4NavigationProperty,
  V4Operation,
  V4OperationImport,
  V4Parameter,
  V4Property,
  V4Schema,
  V4StructuredType,
  V4TypeDefinition,
  V4Typed,
} from './v4-document.js'

/**
 * Reads a metadata document in XML.
 *
 * @throws XmlError for malformed XML, ModelError for another document
 * @spec OData CSDL XML 4.01
 */
export function readV4Xml(xml: string, errors: ModelErrors): V4Document {
  const lines = new Map<XmlElement, number>()
  const root = parseXml(xml, lines)
  const services = childElements(root).find(
    ({ name, namespace }) => name === 'DataServices' && namespace === edmx4Namespace,
  )
  if (root.name !== 'Edmx' || root.namespace !== edmx4Namespace || services === undefined)
    throw new ModelError([
      `document: a metadata document of OData V4 starts with <edmx:Edmx xmlns:edmx="${edmx4Namespace}"> and has <edmx:DataServices>, but this one has the root <${root.name}>.`,
    ])
  return new XmlReader(lines, errors, root).document(services)
}

class XmlReader {
  private readonly aliases: ReadonlyMap<string, string>
  private readonly annotations: V4Annotations

  constructor(
    private readonly lines: ReadonlyMap<XmlElement, number>,
    private readonly errors: ModelErrors,
    root: XmlElement,
  ) {
    this.aliases = new Map([...vocabularyAliases, ...declaredAliases(root)])
    this.annotations = new V4Annotations()
  }

  document(services: XmlElement): V4Document {
    const schemas = named(services, 'Schema').map((schema) => this.schema(schema))
    if (schemas.length === 0) this.errors.add('edmx:DataServices', 'the element <Schema> is missing.')
    return { schemas, annotations: this.annotations.byTarget }
  }

  private schema(schema: XmlElement): V4Schema {
    const namespace = this.required(schema, 'Namespace', 'Schema')
    for (const group of named(schema, 'Annotations')) {
      // Qualifiers of groups apply to their annotations.
      const qualifier = attributeOf(group, 'Qualifier')
      const target = this.full(attributeOf(group, 'Target') ?? '')
      this.annotations.add(target, this.annotationsIn(group, qualifier))
    }
    const types = (name: 'EntityType' | 'ComplexType'): V4StructuredType[] =>
      named(schema, name).map((type) => this.structuredType(type, name, namespace))
    return {
      namespace,
      structuredTypes: [...types('EntityType'), ...types('ComplexType')],
      enumTypes: named(schema, 'EnumType').map((type) => this.enumType(type, namespace)),
      typeDefinitions: named(schema, 'TypeDefinition').map((type) => this.typeDefinition(type, namespace)),
      operations: [...named(schema, 'Action'), ...named(schema, 'Function')].map((one) =>
        this.operation(one, namespace),
      ),
      containers: named(schema, 'EntityContainer').map((one) => this.container(one, namespace)),
    }
  }

  private structuredType(
    element: XmlElement,
    kind: 'EntityType' | 'ComplexType',
    namespace: string,
  ): V4StructuredType {
    const [name, place] = this.nameOf(element, namespace)
    this.annotate(element, place.name)
    const [key] = named(element, 'Key')
    return {
      kind,
      name,
      place: place.text,
      baseType: this.optional(element, 'BaseType'),
      isAbstract: this.boolean(element, 'Abstract', false),
      isOpen: this.boolean(element, 'OpenType', false),
      hasStream: this.boolean(element, 'HasStream', false),
      key: key && named(key, 'PropertyRef').map((one) => this.keyReference(one, place.name)),
      properties: named(element, 'Property').map((one) => this.property(one, place.name)),
      navigationProperties: named(element, 'NavigationProperty').map((one) =>
        this.navigation(one, place.name),
      ),
    }
  }

  private keyReference(element: XmlElement, owner: string): V4KeyReference {
    return { path: this.required(element, 'Name', owner), alias: attributeOf(element, 'Alias') }
  }

  private property(element: XmlElement, owner: string): V4Property {
    const [name, place] = this.nameOf(element, owner, '/')
    this.annotate(element, place.name)
    const defaultValue = attributeOf(element, 'DefaultValue')
    return { name, place: place.text, ...this.typed(element), defaultValue }
  }

  private navigation(element: XmlElement, owner: string): V4NavigationProperty {
    const [name, place] = this.nameOf(element, owner, '/')
    this.annotate(element, place.name)
    const { type, isCollection, nullable } = this.typed(element)
    const [onDelete] = named(element, 'OnDelete')
    return {
      name,
      place: place.text,
      type,
      isCollection,
      nullable,
      partner: attributeOf(element, 'Partner'),
      containsTarget: this.boolean(element, 'ContainsTarget', false),
      constraints: named(element, 'ReferentialConstraint').map((one) => ({
        property: this.required(one, 'Property', place.text),
        referencedProperty: this.required(one, 'ReferencedProperty', place.text),
      })),
      onDelete: onDelete && attributeOf(onDelete, 'Action'),
    }
  }

  private enumType(element: XmlElement, namespace: string): V4EnumType {
    const [name, place] = this.nameOf(element, namespace)
    return {
      name,
      place: place.text,
      isFlags: this.boolean(element, 'IsFlags', false),
      members: named(element, 'Member').map((one) => this.required(one, 'Name', place.text)),
    }
  }

  private typeDefinition(element: XmlElement, namespace: string): V4TypeDefinition {
    const [name, place] = this.nameOf(element, namespace)
    const underlyingType = this.required(element, 'UnderlyingType', place.text)
    return { name, place: place.text, underlyingType, ...this.facets(element) }
  }

  private operation(element: XmlElement, namespace: string): V4Operation {
    const [name, place] = this.nameOf(element, namespace)
    const [returned] = named(element, 'ReturnType')
    this.annotate(element, place.name)
    return {
      kind: element.name === 'Action' ? 'Action' : 'Function',
      name,
      place: place.text,
      isBound: this.boolean(element, 'IsBound', false),
      entitySetPath: attributeOf(element, 'EntitySetPath'),
      parameters: named(element, 'Parameter').map((one): V4Parameter => {
        const [parameter, of] = this.nameOf(one, place.name, '/')
        this.annotate(one, of.name)
        return { name: parameter, place: of.text, ...this.typed(one) }
      }),
      returnType: returned && this.typed(returned),
    }
  }

  private container(element: XmlElement, namespace: string): V4Container {
    const [name, place] = this.nameOf(element, namespace)
    this.annotate(element, place.name)
    const sets = (kind: 'EntitySet' | 'Singleton'): V4SetElement[] =>
      named(element, kind).map((one) => this.set(one, kind, place.name))
    const imports = (kind: 'Action' | 'Function'): V4OperationImport[] =>
      named(element, `${kind}Import`).map((one) => {
        const [imported, of] = this.nameOf(one, place.name, '/')
        this.annotate(one, of.name)
        return {
          name: imported,
          place: of.text,
          operation: this.full(this.required(one, kind, of.text)),
          entitySet: attributeOf(one, 'EntitySet'),
        }
      })
    return {
      name,
      place: place.text,
      extends: this.optional(element, 'Extends'),
      sets: [...sets('EntitySet'), ...sets('Singleton')],
      imports: [...imports('Action'), ...imports('Function')],
    }
  }

  private set(element: XmlElement, kind: 'EntitySet' | 'Singleton', owner: string): V4SetElement {
    const [name, place] = this.nameOf(element, owner, '/')
    this.annotate(element, place.name)
    return {
      kind,
      name,
      place: place.text,
      entityType: this.full(this.required(element, kind === 'EntitySet' ? 'EntityType' : 'Type', place.text)),
      bindings: new Map(
        named(element, 'NavigationPropertyBinding').map((one) => [
          this.full(this.required(one, 'Path', place.text)),
          this.required(one, 'Target', place.text),
        ]),
      ),
    }
  }

  private typed(element: XmlElement): V4Typed {
    const given = attributeOf(element, 'Type') ?? 'Edm.String'
    const [, inner] = /^Collection\((.+)\)$/.exec(given) ?? []
    return {
      type: this.full(inner ?? given),
      isCollection: inner !== undefined,
      nullable: this.boolean(element, 'Nullable', true),
      ...this.facets(element),
    }
  }

  private facets(element: XmlElement): Omit<V4TypeDefinition, 'name' | 'place' | 'underlyingType'> {
    const maxLength = attributeOf(element, 'MaxLength')
    const scale = attributeOf(element, 'Scale')?.toLowerCase()
    return {
      maxLength: maxLength?.toLowerCase() === 'max' ? 'Max' : this.number(element, 'MaxLength'),
      precision: this.number(element, 'Precision'),
      scale: scale === 'variable' || scale === 'floating' ? 'variable' : this.number(element, 'Scale'),
      unicode:
        attributeOf(element, 'Unicode') === undefined ? undefined : this.boolean(element, 'Unicode', true),
    }
  }

  /** Collects the annotations within an element. */
  private annotate(element: XmlElement, target: string): void {
    this.annotations.add(target, this.annotationsIn(element))
  }

  private annotationsIn(element: XmlElement, qualifier?: string): XmlElement[] {
    return named(element, 'Annotation').map((one) => {
      const full = withFullNames(one, this.aliases)
      return qualifier === undefined
        ? full
        : {
            ...full,
            attributes: [
              ...full.attributes,
              { namespace: '', prefix: '', name: 'Qualifier', value: qualifier },
            ],
          }
    })
  }

  private nameOf(
    element: XmlElement,
    owner: string,
    separator = '.',
  ): [name: string, place: { readonly name: string; readonly text: string }] {
    const name = this.required(element, 'Name', owner)
    const qualified = `${owner}${separator}${name}`
    return [name, { name: qualified, text: this.at(element, qualified) }]
  }

  private at(element: XmlElement, place: string): string {
    const line = this.lines.get(element)
    return line === undefined ? place : `${place} (line ${line})`
  }

  private required(element: XmlElement, name: string, place: string): string {
    const value = attributeOf(element, name)
    if (value === undefined)
      this.errors.add(this.at(element, place), `<${element.name}> needs the attribute ${name}.`)
    return value ?? ''
  }

  private optional(element: XmlElement, name: string): string | undefined {
    const value = attributeOf(element, name)
    return value === undefined ? undefined : this.full(value)
  }

  private boolean(element: XmlElement, name: string, instead: boolean): boolean {
    const value = attributeOf(element, name)?.trim()
    if (value === undefined) return instead
    if (value !== 'true' && value !== 'false')
      this.errors.add(
        this.at(element, attributeOf(element, 'Name') ?? element.name),
        `${name} must be true or false, not '${value}'.`,
      )
    return value === 'true'
  }

  private number(element: XmlElement, name: string): number | undefined {
    const value = attributeOf(element, name)?.trim()
    if (value === undefined) return undefined
    if (/^\d{1,9}$/.test(value)) return Number(value)
    this.errors.add(
      this.at(element, attributeOf(element, 'Name') ?? element.name),
      `${name} must be a non-negative integer, not '${value}'.`,
    )
    return undefined
  }

  /** Replaces the alias of a qualified name, and those of the segments of a path. */
  private full(name: string): string {
    return fullPath(name, this.aliases)
  }
}

/** Replaces the aliases in the segments of a path: `Self.Order/items`. */
export function fullPath(path: string, aliases: ReadonlyMap<string, string>): string {
  return path
    .split('/')
    .map((segment) => {
      const bracket = segment.indexOf('(')
      const dot = segment.lastIndexOf('.', bracket < 0 ? segment.length : bracket)
      const namespace = dot < 0 ? undefined : aliases.get(segment.slice(0, dot))
      return namespace === undefined ? segment : namespace + segment.slice(dot)
    })
    .join('/')
}

function named(element: XmlElement, name: string): XmlElement[] {
  return childElements(element).filter((one) => one.name === name && one.namespace === csdl4Namespace)
}

function* declaredAliases(element: XmlElement): Generator<[string, string]> {
  for (const one of childElements(element)) {
    const alias = attributeOf(one, 'Alias')
    const namespace = attributeOf(one, 'Namespace')
    const isDeclaration = one.name === 'Include' || one.name === 'Schema'
    if (isDeclaration && alias !== undefined && namespace !== undefined) yield [alias, namespace]
    if (one.name === 'Reference' || one.name === 'DataServices') yield* declaredAliases(one)
  }
}
