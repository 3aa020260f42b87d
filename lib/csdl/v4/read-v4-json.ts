import type { ModelErrors } from '../../edm/build/model-error.js'
import { ModelError } from '../../edm/build/model-error.js'
import { vocabularyAliases } from '../../edm/vocabularies/vocabularies.js'
import { isRecord } from '../../util/is-record.js'
import { fullPath } from './read-v4-xml.js'
import { V4Annotations } from './v4-annotations.js'
import { jsonAnnotations } from './v4-json-annotations.js'
import type {
  V4Container,
  V4Document,
  V4SetElement,
  V4EnumType,
  V4NavigationProperty,
  V4Operation,
  V4OperationImport,
  V4Property,
  V4Schema,
  V4StructuredType,
  V4TypeDefinition,
  V4Typed,
} from './v4-document.js'

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads a metadata document in JSON.
 *
 * @throws ModelError for malformed JSON, with the line, and for another document
 * @spec OData CSDL JSON 4.01
 */
export function readV4Json(text: string, errors: ModelErrors): V4Document {
  const root = parse(text.replace(/^\uFEFF/, ''))
  if (!isRecord(root) || typeof root.$Version !== 'string')
    throw new ModelError(['document: a metadata document of OData V4 in JSON has the member $Version.'])
  return new JsonReader(root, errors).document(root)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, position] = /position (\d+)/.exec(message) ?? []
    const line = text.slice(0, Number(position ?? text.length)).split('\n').length
    throw new ModelError([`document (line ${line}): the JSON is malformed.`])
  }
}

class JsonReader {
  private readonly aliases: ReadonlyMap<string, string>
  private readonly annotations = new V4Annotations()

  constructor(
    root: JsonObject,
    private readonly errors: ModelErrors,
  ) {
    this.aliases = new Map([...vocabularyAliases, ...declaredAliases(root)])
  }

  document(root: JsonObject): V4Document {
    const schemas = members(root).map(([namespace, schema]) => this.schema(namespace, schema))
    if (schemas.length === 0) this.errors.add('document', 'the document has no schema.')
    return { schemas, annotations: this.annotations.byTarget }
  }

  private schema(namespace: string, schema: JsonObject): V4Schema {
    const external = schema.$Annotations
    if (isRecord(external))
      for (const [target, given] of Object.entries(external))
        if (isRecord(given)) this.annotate(given, this.full(target))
    const ofKind = (...kinds: string[]): [string, JsonObject][] =>
      members(schema).filter(([, one]) => kinds.includes(String(one.$Kind)))
    return {
      namespace,
      structuredTypes: ofKind('EntityType', 'ComplexType').map(([name, one]) =>
        this.structuredType(name, one, namespace),
      ),
      enumTypes: ofKind('EnumType').map(([name, one]): V4EnumType => ({
        name,
        place: `${namespace}.${name}`,
        isFlags: one.$IsFlags === true,
        members: Object.keys(one).filter((member) => !/[$@]/.test(member)),
      })),
      typeDefinitions: ofKind('TypeDefinition').map(([name, one]): V4TypeDefinition => ({
        name,
        place: `${namespace}.${name}`,
        underlyingType: this.full(String(one.$UnderlyingType)),
        ...facets(one),
      })),
      operations: Object.entries(schema).flatMap(([name, overloads]) =>
        Array.isArray(overloads)
          ? overloads.filter(isRecord).map((one) => this.operation(name, one, namespace))
          : [],
      ),
      containers: ofKind('EntityContainer').map(([name, one]) => this.container(name, one, namespace)),
    }
  }

  private structuredType(name: string, type: JsonObject, namespace: string): V4StructuredType {
    const place = `${namespace}.${name}`
    this.annotate(type, place)
    const all = members(type)
    const isNavigation = ([, one]: [string, JsonObject]): boolean => one.$Kind === 'NavigationProperty'
    return {
      kind: type.$Kind === 'EntityType' ? 'EntityType' : 'ComplexType',
      name,
      place,
      baseType: typeof type.$BaseType === 'string' ? this.full(type.$BaseType) : undefined,
      isAbstract: type.$Abstract === true,
      isOpen: type.$OpenType === true,
      hasStream: type.$HasStream === true,
      key: Array.isArray(type.$Key) ? type.$Key.map(keyReference) : undefined,
      properties: all.filter((one) => !isNavigation(one)).map(([own, one]) => this.property(own, one, place)),
      navigationProperties: all.filter(isNavigation).map(([own, one]) => this.navigation(own, one, place)),
    }
  }

  private property(name: string, property: JsonObject, owner: string): V4Property {
    const place = `${owner}/${name}`
    this.annotate(property, place)
    const { $DefaultValue: value } = property
    const isSimple = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return { name, place, ...this.typed(property), defaultValue: isSimple ? String(value) : undefined }
  }

  private navigation(name: string, property: JsonObject, owner: string): V4NavigationProperty {
    const place = `${owner}/${name}`
    this.annotate(property, place)
    const { type, isCollection, nullable } = this.typed(property)
    const constraints = isRecord(property.$ReferentialConstraint) ? property.$ReferentialConstraint : {}
    return {
      name,
      place,
      type,
      isCollection,
      nullable,
      partner: optional(property.$Partner),
      containsTarget: property.$ContainsTarget === true,
      constraints: Object.entries(constraints)
        .filter(([own]) => !own.includes('@'))
        .map(([own, other]) => ({ property: own, referencedProperty: String(other) })),
      onDelete: optional(property.$OnDelete),
    }
  }

  private operation(name: string, operation: JsonObject, namespace: string): V4Operation {
    const place = `${namespace}.${name}`
    this.annotate(operation, place)
    const { $Parameter: parameters, $ReturnType: returned } = operation
    return {
      kind: operation.$Kind === 'Action' ? 'Action' : 'Function',
      name,
      place,
      isBound: operation.$IsBound === true,
      entitySetPath: optional(operation.$EntitySetPath),
      parameters: (Array.isArray(parameters) ? parameters.filter(isRecord) : []).map((one) => {
        const parameter = String(one.$Name)
        this.annotate(one, `${place}/${parameter}`)
        return { name: parameter, place: `${place}/${parameter}`, ...this.typed(one) }
      }),
      returnType: isRecord(returned) ? this.typed(returned) : undefined,
    }
  }

  private container(name: string, container: JsonObject, namespace: string): V4Container {
    const owner = `${namespace}.${name}`
    this.annotate(container, owner)
    const sets: V4SetElement[] = []
    const imports: V4OperationImport[] = []
    for (const [own, one] of members(container)) {
      const place = `${owner}/${own}`
      this.annotate(one, place)
      const operation = one.$Action ?? one.$Function
      if (typeof operation === 'string')
        imports.push({
          name: own,
          place,
          operation: this.full(operation),
          entitySet: optional(one.$EntitySet),
        })
      else
        sets.push({
          kind: one.$Collection === true ? 'EntitySet' : 'Singleton',
          name: own,
          place,
          entityType: this.full(String(one.$Type)),
          bindings: new Map(
            Object.entries(
              isRecord(one.$NavigationPropertyBinding) ? one.$NavigationPropertyBinding : {},
            ).map(([path, target]) => [this.full(path), String(target)]),
          ),
        })
    }
    const extended = optional(container.$Extends)
    return { name, place: owner, extends: extended && this.full(extended), sets, imports }
  }

  private typed(element: JsonObject): V4Typed {
    return {
      type: this.full(optional(element.$Type) ?? 'Edm.String'),
      isCollection: element.$Collection === true,
      nullable: element.$Nullable === true,
      ...facets(element),
    }
  }

  private annotate(element: JsonObject, target: string): void {
    this.annotations.add(target, jsonAnnotations(element, this.aliases))
  }

  private full(name: string): string {
    return fullPath(name, this.aliases)
  }
}

/** Returns the members that are objects: `$` starts keywords, `@` annotations. */
function members(element: JsonObject): [string, JsonObject][] {
  return Object.entries(element).filter(
    (entry): entry is [string, JsonObject] => isRecord(entry[1]) && !/[$@]/.test(entry[0]),
  )
}

function keyReference(given: unknown): { path: string; alias?: string } {
  if (!isRecord(given)) return { path: String(given) }
  const [[alias, path] = ['', '']] = Object.entries(given)
  return { path: String(path), alias }
}

function facets(element: JsonObject): Omit<V4TypeDefinition, 'name' | 'place' | 'underlyingType'> {
  const { $MaxLength: maxLength, $Precision: precision, $Scale: scale, $Unicode: unicode } = element
  const isNumber = typeof scale === 'number'
  return {
    maxLength: typeof maxLength === 'number' ? maxLength : undefined,
    precision: typeof precision === 'number' ? precision : undefined,
    scale: isNumber ? scale : typeof scale === 'string' ? 'variable' : undefined,
    unicode: typeof unicode === 'boolean' ? unicode : undefined,
  }
}

function optional(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function* declaredAliases(root: JsonObject): Generator<[string, string]> {
  for (const [namespace, schema] of members(root))
    if (typeof schema.$Alias === 'string') yield [schema.$Alias, namespace]
  const references = isRecord(root.$Reference) ? Object.values(root.$Reference) : []
  for (const reference of references.filter(isRecord)) {
    const included: unknown = reference.$Include
    for (const one of Array.isArray(included) ? included.filter(isRecord) : [])
      if (typeof one.$Alias === 'string') yield [one.$Alias, String(one.$Namespace)]
  }
}
