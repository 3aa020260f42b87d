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
  for (const name of nodes.keys()) readType(name, nodes, associations, types)
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
  return {
    qualifiedName: `${namespace}.${attribute(node, 'Name')}`,
    ends: [first ?? none, second ?? none],
  }
}

function readType(
  qualifiedName: string,
  nodes: ReadonlyMap<string, Element>,
  associations: readonly Association[],
  types: Map<string, StructuralType>,
): StructuralType | undefined {
  const known = types.get(qualifiedName)
  const node = nodes.get(qualifiedName)
  if (known !== undefined || node === undefined) return known
  const baseType = attribute(node, 'BaseType')
  const base = readType(baseType, nodes, associations, types)
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
      ...children(node, 'Property').map((property) => readProperty(property, keys)),
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

function readProperty(node: Element, keys: readonly string[]): Property {
  const element = readElement(node)
  return {
    ...element,
    type: attribute(node, 'Type'),
    isNullable: attribute(node, 'Nullable') !== 'false',
    isKey: keys.includes(element.name),
    facets: FACETS.flatMap((facet) =>
      node.hasAttribute(facet) ? [`${facet} ${attribute(node, facet)}`] : [],
    ),
    mimeType: metadataAttribute(node, 'MimeType'),
  }
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
