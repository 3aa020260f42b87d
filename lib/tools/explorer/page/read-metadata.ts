import type {
  Association,
  AssociationEnd,
  EntitySet,
  FunctionImport,
  Model,
  NamedElement,
  NavigationProperty,
  Property,
  StructuralType,
} from './model.js'

const METADATA_NAMESPACE = 'http://schemas.microsoft.com/ado/2007/08/dataservices/metadata'
const SAP_NAMESPACE = 'http://www.sap.com/Protocols/SAPData'

/** Reads a metadata document, without validation: the service has validated its model. */
export function readMetadata(document: Document): Model {
  const schemas = [...document.documentElement.getElementsByTagNameNS('*', 'Schema')]
  const associations = schemas.flatMap((schema) =>
    children(schema, 'Association').map((node) => readAssociation(node, attribute(schema, 'Namespace'))),
  )
  const nodes = new Map<string, Element>()
  for (const schema of schemas) {
    for (const node of [...children(schema, 'EntityType'), ...children(schema, 'ComplexType')]) {
      nodes.set(`${attribute(schema, 'Namespace')}.${attribute(node, 'Name')}`, node)
    }
  }
  const types = new Map<string, StructuralType>()
  const annotations = readAnnotations(schemas)
  for (const name of nodes.keys()) readType(name, { nodes, associations, annotations, types })
  const containers = schemas.flatMap((schema) => children(schema, 'EntityContainer'))
  const main = containers.find(isDefault) ?? containers[0]
  return {
    sets: containers.flatMap((container) => readSets(container, types)),
    functions: containers.flatMap(readFunctions),
    types,
    associations,
    formats: main?.getAttributeNS(SAP_NAMESPACE, 'supported-formats')?.split(' ') ?? [],
  }
}

function readAssociation(node: Element, namespace: string): Association {
  const [first, second] = children(node, 'End').map((end): AssociationEnd => ({
    role: attribute(end, 'Role'),
    type: attribute(end, 'Type'),
    multiplicity: attribute(end, 'Multiplicity'),
  }))
  const none: AssociationEnd = { role: '', type: '', multiplicity: '' }
  const [constraint] = children(node, 'ReferentialConstraint')
  const [dependent, principal] = ['Dependent', 'Principal'].map((side) =>
    constraint === undefined ? undefined : children(constraint, side)[0],
  )
  return {
    qualifiedName: `${namespace}.${attribute(node, 'Name')}`,
    ends: [first ?? none, second ?? none],
    dependent: dependent === undefined ? '' : attribute(dependent, 'Role'),
    foreignKey: references(dependent).map((own, index) => [own, references(principal)[index] ?? '']),
  }
}

function references(node: Element | undefined): readonly string[] {
  if (node === undefined) return []
  return children(node, 'PropertyRef').map((reference) => attribute(reference, 'Name'))
}

/** Returns the vocabulary annotations of elements by their target, `Namespace.Type/Property`. */
function readAnnotations(schemas: readonly Element[]): ReadonlyMap<string, readonly Element[]> {
  const aliases = new Map(
    schemas.map((schema) => [attribute(schema, 'Alias'), attribute(schema, 'Namespace')]),
  )
  const annotations = new Map<string, readonly Element[]>()
  for (const node of schemas.flatMap((schema) => children(schema, 'Annotations'))) {
    const [, alias = '', rest = ''] = /^([^.]*)(.*)$/.exec(attribute(node, 'Target')) ?? []
    const target = (aliases.get(alias) ?? alias) + rest
    annotations.set(target, [...(annotations.get(target) ?? []), ...children(node, 'Annotation')])
  }
  return annotations
}

/** The parts of a metadata document from which types are read. */
interface Parts {
  readonly nodes: ReadonlyMap<string, Element>
  readonly associations: readonly Association[]
  readonly annotations: ReadonlyMap<string, readonly Element[]>
  /** The types that are read already. */
  readonly types: Map<string, StructuralType>
}

function readType(qualifiedName: string, parts: Parts): StructuralType | undefined {
  const { nodes, associations, annotations, types } = parts
  const known = types.get(qualifiedName)
  const node = nodes.get(qualifiedName)
  if (known !== undefined || node === undefined) return known
  const baseType = attribute(node, 'BaseType')
  const base = readType(baseType, parts)
  const own = children(node, 'Key').flatMap((key) => children(key, 'PropertyRef'))
  const keys = [...(base?.keys ?? []), ...own.map((reference) => attribute(reference, 'Name'))]
  const type: StructuralType = {
    ...readElement(node),
    kind: node.localName === 'ComplexType' ? 'ComplexType' : 'EntityType',
    qualifiedName,
    baseType,
    isAbstract: attribute(node, 'Abstract') === 'true',
    isMedia: base?.isMedia === true || metadataAttribute(node, 'HasStream') === 'true',
    keys,
    properties: [
      ...(base?.properties ?? []),
      ...children(node, 'Property').map((property) => {
        const others = annotations.get(`${qualifiedName}/${attribute(property, 'Name')}`) ?? []
        return readProperty(property, keys, [...children(property, 'Annotation'), ...others])
      }),
    ],
    navigation: [
      ...(base?.navigation ?? []),
      ...children(node, 'NavigationProperty').map((property) => readNavigation(property, associations)),
    ],
  }
  types.set(qualifiedName, type)
  return type
}

const FACETS = ['MaxLength', 'Precision', 'Scale', 'DefaultValue', 'ConcurrencyMode']

function readProperty(node: Element, keys: readonly string[], annotations: readonly Element[]): Property {
  const element = readElement(node)
  const annotation = (term: string): Element | undefined =>
    annotations.find((one) =>
      attribute(one, 'Term')
        .replace(/\.v1(?=\.)/i, '')
        .endsWith(term),
    )
  const [text, list] = [annotation('Common.Text'), annotation('Common.ValueList')]
  const allowed = annotation('Validation.AllowedValues')
  return {
    ...element,
    type: attribute(node, 'Type'),
    isNullable: attribute(node, 'Nullable') !== 'false',
    isKey: keys.includes(element.name),
    facets: FACETS.flatMap((facet) =>
      node.hasAttribute(facet) ? [`${facet} ${attribute(node, facet)}`] : [],
    ),
    mimeType: metadataAttribute(node, 'MimeType'),
    text: node.getAttributeNS(SAP_NAMESPACE, 'text') ?? text?.getAttribute('Path') ?? '',
    allowedValues: recordsOf(allowed).flatMap((record) => record.get('Value') ?? []),
    valueList: list === undefined ? undefined : readValueList(list),
  }
}

/** Returns the values of the properties of all records in an annotation, and their types as `Type`. */
function recordsOf(node: Element | undefined): readonly ReadonlyMap<string, string>[] {
  return [...(node?.getElementsByTagNameNS('*', 'Record') ?? [])].map(
    (record) =>
      new Map([
        ['Type', attribute(record, 'Type')],
        ...children(record, 'PropertyValue').map(
          (one) =>
            [
              attribute(one, 'Property'),
              one.getAttribute('String') ?? one.getAttribute('PropertyPath') ?? '',
            ] as const,
        ),
      ]),
  )
}

/** Reads the set of a value list, and the properties that restrict it or are taken from it. */
function readValueList(node: Element): Property['valueList'] {
  const records = recordsOf(node)
  const set = records[0]?.get('CollectionPath')
  const parameters = records.flatMap((record) => {
    const [own, listed] = [record.get('LocalDataProperty'), record.get('ValueListProperty')]
    if (own === undefined || listed === undefined) return []
    const kind = record.get('Type') ?? ''
    return [{ own, listed, isIn: /ParameterIn(?:Out)?$/.test(kind), isOut: kind.endsWith('Out') }]
  })
  return set === undefined ? undefined : { set, parameters }
}

function readNavigation(node: Element, associations: readonly Association[]): NavigationProperty {
  const association = attribute(node, 'Relationship')
  const toRole = attribute(node, 'ToRole')
  const ends = associations.find((one) => one.qualifiedName === association)?.ends
  const end = ends?.find(({ role }) => role === toRole)
  return {
    ...readElement(node),
    target: end?.type ?? '',
    association,
    fromRole: attribute(node, 'FromRole'),
    toRole,
    multiplicity: end?.multiplicity ?? '',
  }
}

function readSets(container: Element, types: ReadonlyMap<string, StructuralType>): EntitySet[] {
  const links = children(container, 'AssociationSet').map((node) => ({
    association: attribute(node, 'Association'),
    ends: children(node, 'End').map((end) => ({
      role: attribute(end, 'Role'),
      set: attribute(end, 'EntitySet'),
    })),
  }))
  return children(container, 'EntitySet').map((node) => {
    const element = readElement(node)
    const type = attribute(node, 'EntityType')
    const targets = new Map<string, string>()
    for (const { name: navigation, association, fromRole, toRole } of types.get(type)?.navigation ?? []) {
      const link = links.find(
        (one) =>
          one.association === association &&
          one.ends.some(({ role, set }) => role === fromRole && set === element.name),
      )
      const target = link?.ends.find(({ role }) => role === toRole)?.set
      if (target !== undefined) targets.set(navigation, pathIn(container, target))
    }
    return { ...element, path: pathIn(container, element.name), type, targets }
  })
}

function readFunctions(container: Element): FunctionImport[] {
  return children(container, 'FunctionImport').map((node) => {
    const returned = attribute(node, 'ReturnType')
    const collection = /^Collection\((.*)\)$/.exec(returned)
    const element = readElement(node)
    const set = attribute(node, 'EntitySet')
    return {
      ...element,
      path: pathIn(container, element.name),
      method: metadataAttribute(node, 'HttpMethod') === 'POST' ? 'POST' : 'GET',
      returnType: collection?.[1] ?? returned,
      isCollection: collection !== null,
      set: set === '' ? '' : pathIn(container, set),
      parameters: children(node, 'Parameter').map((parameter) => ({
        name: attribute(parameter, 'Name'),
        type: attribute(parameter, 'Type'),
        isNullable: attribute(parameter, 'Nullable') !== 'false',
      })),
    }
  })
}

/** Returns the path of a set or function: with the name of its container, unless that is the default one. */
function pathIn(container: Element, name: string): string {
  return isDefault(container) ? name : `${attribute(container, 'Name')}.${name}`
}

function isDefault(container: Element): boolean {
  return metadataAttribute(container, 'IsDefaultEntityContainer') === 'true'
}

function readElement(node: Element): NamedElement {
  const texts = children(node, 'Documentation').flatMap((one) =>
    [...one.children].map((text) => text.textContent),
  )
  const annotations = [...node.attributes]
    .filter(({ namespaceURI, prefix }) => namespaceURI !== null && prefix !== 'xmlns' && prefix !== 'xml')
    .map(({ name, value }) => [name, value] as const)
  return {
    name: attribute(node, 'Name'),
    label: node.getAttributeNS(SAP_NAMESPACE, 'label') ?? '',
    documentation: texts.join(' ').trim(),
    annotations: annotations.filter(([name]) => name !== 'sap:label'),
  }
}

function attribute(node: Element, name: string): string {
  return node.getAttribute(name) ?? ''
}

function metadataAttribute(node: Element, name: string): string {
  return node.getAttributeNS(METADATA_NAMESPACE, name) ?? ''
}

function children(node: Element, name: string): Element[] {
  return [...node.children].filter(({ localName }) => localName === name)
}
