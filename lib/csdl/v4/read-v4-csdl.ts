import { buildModel } from '../../edm/build/build-model.js'
import { ModelErrors } from '../../edm/build/model-error.js'
import type { EdmModel } from '../../edm/edm-model.js'
import type { SchemaDefinition } from '../../edm/model-definition.js'
import { withSapEquivalents } from '../annotations/sap-equivalents.js'
import { defined } from '../csdl-reader.js'
import { buildV4Relations } from './build-v4-associations.js'
import { OperationBuilder } from './build-v4-operations.js'
import type { SetDraft, V4SetOptions } from './build-v4-sets.js'
import { buildV4Sets } from './build-v4-sets.js'
import type { TypeDraft } from './build-v4-types.js'
import { buildV4Types } from './build-v4-types.js'
import { keptAnnotations } from './kept-annotations.js'
import { readV4Xml } from './read-v4-xml.js'
import { readV4Json } from './read-v4-json.js'
import { V4Context } from './v4-context.js'
import type { V4Container, V4Document } from './v4-document.js'
import type { V4Mapping } from './v4-mapping.js'
import { V4Names } from './v4-names.js'
import type { NamedType } from './v4-types.js'
import {
  propertySapAttributes,
  restrictedProperties,
  setSapAttributes,
  typeSapAttributes,
  withSap,
} from './v4-sap-attributes.js'

/**
 * Options of {@link readV4Csdl}.
 *
 * @example const options: V4CsdlOptions = { onNotice: (notice) => console.warn(notice), sets: { include: ['Books'] } }
 */
export interface V4CsdlOptions {
  /** Called for each element that is skipped, renamed, or served with another type. Default: not called. */
  readonly onNotice?: ((notice: string) => void) | undefined
  /** Which entity sets to serve, and their names. Default: all, with their own names. */
  readonly sets?: V4SetOptions | undefined
}

/** A V2 model with the names and types of the V4 service that it was read from. */
export interface MappedModel {
  readonly model: EdmModel
  readonly mapping: V4Mapping
}

/** Larger documents are refused: the largest known ones have a quarter of it. */
const MAX_DOCUMENT_CHARACTERS = 64 * 1024 * 1024

/**
 * Reads the metadata document of a V4 service as a V2 model, in which clients of OData V2 find its entity sets, types,
 * operations and annotations.
 *
 * @param document the whole document, in XML or JSON
 * @param options `onNotice` is called for each element that is skipped, renamed, or served with another type
 * @returns the frozen model; its rows have no static types
 * @throws XmlError for malformed XML, SyntaxError for malformed JSON, ModelError with all errors of the document, each
 * with its line or name
 * @example
 * const model = readV4Csdl(await readFile('catalog.xml', 'utf8'), { onNotice: console.warn })
 * @spec OData CSDL XML 4.01, OData CSDL JSON 4.01
 */
export function readV4Csdl(document: string, options: V4CsdlOptions = {}): EdmModel {
  return readV4Model(document, options).model
}

/** Reads a V2 model, and the names and types of its elements in the V4 service. */
export function readV4Model(text: string, { onNotice, sets = {} }: V4CsdlOptions = {}): MappedModel {
  if (typeof text !== 'string')
    throw new TypeError('readV4Csdl: the document must be a string of XML or JSON.')
  if (text.length > MAX_DOCUMENT_CHARACTERS)
    throw new TypeError(`readV4Csdl: the document has more than ${MAX_DOCUMENT_CHARACTERS} characters.`)
  const errors = new ModelErrors()
  const isJson = /^\uFEFF?\s*\{/.test(text)
  const document = isJson ? readV4Json(text, errors) : readV4Xml(text, errors)
  errors.check()
  const mapped = buildMappedModel(document, errors, sets)
  if (onNotice !== undefined) for (const notice of new Set(errors.notices)) onNotice(notice)
  return mapped
}

function buildMappedModel(document: V4Document, errors: ModelErrors, options: V4SetOptions): MappedModel {
  const context = new V4Context(document, errors)
  const container = containerOf(document, errors)
  errors.check()
  const drafts = buildV4Types(context)
  const names = new V4Names('entity set or operation', (notice) => errors.notices.push(notice))
  const sets = buildV4Sets(context, container, drafts, names, options)
  const { associations, associationSets } = buildV4Relations(context, drafts, sets)
  inheritNavigations(drafts, context)
  const operations = new OperationBuilder(context, drafts, sets, names).build(container)
  errors.check()
  for (const set of sets) annotateSet(set, context, drafts, container.qualifiedName)
  for (const { type, definition } of drafts.values()) {
    context.keepAnnotations(type.qualifiedName, type.qualifiedName)
    const ofType = sets.filter((set) => set.type.qualifiedName === type.qualifiedName)
    // SAPUI5 looks for it at the type.
    const isAnalytical = ofType.length > 0 && ofType.every((set) => isAggregated(set, context))
    const semantics = isAnalytical ? { semantics: 'aggregate' } : {}
    Object.assign(
      definition,
      withSap({ ...typeSapAttributes(context.annotations, type.qualifiedName), ...semantics }),
    )
  }
  const kept = keptAnnotations(context, container.qualifiedName, operations)
  const schemas = document.schemas.map(({ namespace }): SchemaDefinition => {
    const own = [...drafts.values()].filter(({ type }) => type.namespace === namespace)
    const definitions = <T>(kind: TypeDraft['type']['kind']): Record<string, T> =>
      Object.fromEntries(
        own
          .filter(({ type }) => type.kind === kind)
          .map(({ type, definition }) => [type.name, definition as T]),
      )
    return defined({
      namespace,
      entityTypes: definitions<NonNullable<SchemaDefinition['entityTypes']>[string]>('EntityType'),
      complexTypes: definitions<NonNullable<SchemaDefinition['complexTypes']>[string]>('ComplexType'),
      associations: associations.get(namespace),
      ...(namespace === container.namespace
        ? {
            entityContainer: {
              name: container.name,
              entitySets: Object.fromEntries(sets.map((set) => [set.name, setDefinition(set, context)])),
              associationSets,
              functionImports: operations.definitions,
            },
            ...(kept.length > 0 ? { annotations: { elements: kept } } : {}),
          }
        : {}),
    })
  })
  const model = buildModel({ dataServiceVersion: '2.0', schemas }, errors)
  return {
    model: withSapEquivalents(model, kept),
    mapping: {
      types: new Map([...drafts].map(([name, { mapping }]) => [name, mapping])),
      sets: new Map(sets.map(({ name, mapping }) => [name, mapping])),
      operations: operations.mappings,
    },
  }
}

/** Returns the container of a document with the members of those that it extends. */
function containerOf(
  { schemas }: V4Document,
  errors: ModelErrors,
): V4Container & { readonly qualifiedName: string; readonly namespace: string } {
  const all = schemas.flatMap(({ namespace, containers }) =>
    containers.map((one) => ({ ...one, namespace, qualifiedName: `${namespace}.${one.name}` })),
  )
  const extended = new Set(all.map((one) => one.extends))
  const [own] = all.filter(({ qualifiedName }) => !extended.has(qualifiedName))
  const empty = { name: '', place: '', namespace: '', qualifiedName: '', sets: [], imports: [] }
  if (own === undefined) {
    errors.add('document', 'the element <EntityContainer> is missing.')
    return empty
  }
  let merged = own
  for (let base = all.find(({ qualifiedName }) => qualifiedName === own.extends); base;) {
    merged = {
      ...merged,
      sets: [...base.sets, ...merged.sets],
      imports: [...base.imports, ...merged.imports],
    }
    const next: string | undefined = base.extends
    base = all.find(({ qualifiedName }) => qualifiedName === next)
  }
  return merged
}

/** Adds the navigation properties of base types. */
function inheritNavigations(drafts: ReadonlyMap<string, TypeDraft>, { types }: V4Context): void {
  for (const { type, mapping } of drafts.values()) {
    for (let base = types.v2BaseOf(type); base !== undefined; base = types.v2BaseOf(base))
      for (const [name, one] of drafts.get(base.qualifiedName)?.mapping.navigations ?? [])
        mapping.navigations.set(name, one)
  }
}

/** Returns true for an analytical set of OData V2. */
function isAggregated({ type, mapping }: SetDraft, { annotations }: V4Context): boolean {
  return mapping.canAggregate && consistsOfRoles(type, annotations)
}

function setDefinition(
  draft: SetDraft,
  context: V4Context,
): object & {
  readonly entityType: string
} {
  const { type, target, mapping } = draft
  const { annotations } = context
  const isContained = mapping.kind === 'Contained'
  const isAnalytical = isAggregated(draft, context)
  const isSingleton = mapping.kind === 'Singleton'
  return {
    entityType: type.qualifiedName,
    ...withSap({
      ...setSapAttributes(annotations, target),
      ...(isAnalytical ? { semantics: 'aggregate' } : {}),
      ...(isContained ? { addressable: 'false' } : {}),
      ...(isSingleton ? { creatable: 'false', deletable: 'false' } : {}),
    }),
  }
}

/**
 * Returns true for a type whose only properties are dimensions and measures, and a key that is a string: V2 has no other
 * analytical entities.
 */
function consistsOfRoles(
  { key = [], properties, qualifiedName }: NamedType,
  annotations: V4Context['annotations'],
): boolean {
  const isKey = (name: string): boolean => key.some(({ path }) => path === name)
  const role = (name: string): unknown =>
    propertySapAttributes(annotations, `${qualifiedName}/${name}`)['aggregation-role']
  return (
    key.length === 1 &&
    properties.some(({ name }) => role(name) === 'measure') &&
    properties.every(({ name, type }) =>
      isKey(name) ? type === 'Edm.String' && role(name) === undefined : role(name) !== undefined,
    )
  )
}

/** Preserves the annotations of a set, and adds its restrictions to the properties of its type if no other set has it. */
function annotateSet(
  { name, target, type }: SetDraft,
  context: V4Context,
  drafts: ReadonlyMap<string, TypeDraft>,
  container: string,
): void {
  context.keepAnnotations(target, `${container}/${name}`)
  const { annotations } = context
  const properties = drafts.get(type.qualifiedName)?.definition.properties ?? {}
  for (const [path, values] of restrictedProperties(annotations, target)) {
    const property = properties[path]
    if (property === undefined) continue
    const { attributes = [] } = property.annotations ?? {}
    Object.assign(property, {
      annotations: { attributes: [...attributes, ...(withSap(values).annotations?.attributes ?? [])] },
    })
  }
}
