import { definitionOf } from '../../csdl/definition-of-model.js'
import type { V4SetOptions } from '../../csdl/v4/build-v4-sets.js'
import type { AnnotationAttribute } from '../../edm/annotations.js'
import { sapNamespace } from '../../edm/annotations.js'
import { defineModel } from '../../edm/define-model.js'
import type { EdmModel } from '../../edm/edm-model.js'
import { entitySetsOf } from '../../edm/edm-model.js'
import { checkNames, invalid } from '../../errors/check-option.js'
import type {
  AnnotatedDefinition,
  AssociationSetDefinition,
  EntityContainerDefinition,
  ModelDefinition,
  SchemaDefinition,
} from '../../edm/model-definition.js'

/** A model, and the names in the service of its renamed sets, by path. */
interface ChosenSets {
  readonly model: EdmModel
  readonly upstreamNames: ReadonlyMap<string, string>
}

/** The annotations of sets with delta links, which are not passed on. */
const deltaAnnotations: ReadonlySet<string> = new Set(['change-tracking', 'delta-link-validity'])

/**
 * Omits and renames entity sets. Associations and functions of omitted sets are omitted, and so are annotations of what is
 * not served.
 *
 * @throws ConfigurationError for unknown sets
 */
export function chooseSets(model: EdmModel, options: V4SetOptions | undefined): ChosenSets {
  const isServed = entitySetsOf(model).every(({ annotations }) => !annotations.attributes.some(isOfDeltas))
  if (options === undefined && isServed) return { model, upstreamNames: new Map() }
  const { include, exclude = [], rename = {} } = options ?? {}
  const known = entitySetsOf(model).map(({ path }) => path)
  for (const name of [...(include ?? []), ...exclude, ...Object.keys(rename)])
    if (!known.includes(name)) throw invalid(`openV2: the service has no entity set '${name}'`)
  const names = new Map<string, string>()
  for (const path of known)
    if ((include?.includes(path) ?? true) && !exclude.includes(path)) names.set(path, rename[path] ?? path)
  checkNames(options ?? {}, ['include', 'exclude', 'rename'], 'a member', 'openV2: sets: ')
  const renamed = [...names].filter(([from, to]) => from !== to)
  return {
    model: defineModel(definitionWith(definitionOf(model), names)),
    upstreamNames: new Map(renamed.map(([from, to]) => [to, from])),
  }
}

/** Names in the V2 model by those in the service; undefined for omitted sets. */
type NameOf = (name: string) => string | undefined

function definitionWith(definition: ModelDefinition, names: ReadonlyMap<string, string>): ModelDefinition {
  const ofSchema = <Schema extends Partial<SchemaDefinition>>(schema: Schema): Schema => {
    const { entityContainer, entityContainers } = schema
    return {
      ...schema,
      ...(entityContainer && { entityContainer: containerWith(entityContainer, (name) => names.get(name)) }),
      ...(entityContainers && {
        entityContainers: Object.fromEntries(
          Object.entries(entityContainers).map(([container, one]) => {
            // Only sets outside of the default container have its name in their path.
            const prefix = one.default === true ? '' : `${container}.`
            return [container, containerWith(one, (name) => names.get(prefix + name)?.slice(prefix.length))]
          }),
        ),
      }),
    }
  }
  const { schemas } = definition
  return { ...ofSchema(definition), ...(schemas && { schemas: schemas.map(ofSchema) }) }
}

function containerWith<Container extends EntityContainerDefinition>(
  container: Container,
  nameOf: NameOf,
): Container {
  const { entitySets = {}, associationSets = {}, functionImports = {} } = container
  return {
    ...container,
    entitySets: Object.fromEntries(
      Object.entries(entitySets).flatMap(([name, set]) => {
        const chosen = nameOf(name)
        return chosen === undefined ? [] : [[chosen, withoutDeltas(set)]]
      }),
    ),
    associationSets: Object.fromEntries(
      Object.entries(associationSets).flatMap(([name, set]) => {
        const ends = endsWith(set.ends, nameOf)
        return ends === undefined ? [] : [[name, { ...set, ends }]]
      }),
    ),
    functionImports: Object.fromEntries(
      Object.entries(functionImports).flatMap(([name, one]) => {
        if (one.entitySet === undefined) return [[name, one]]
        const entitySet = nameOf(one.entitySet)
        return entitySet === undefined ? [] : [[name, { ...one, entitySet }]]
      }),
    ),
  }
}

function isOfDeltas({ namespace, name }: AnnotationAttribute): boolean {
  return namespace === sapNamespace && deltaAnnotations.has(name)
}

function withoutDeltas<Definition extends AnnotatedDefinition>(definition: Definition): Definition {
  const { annotations } = definition
  if (annotations?.attributes === undefined) return definition
  const attributes = annotations.attributes.filter((one) => !isOfDeltas(one))
  return { ...definition, annotations: { ...annotations, attributes } }
}

function endsWith(
  ends: AssociationSetDefinition['ends'],
  nameOf: NameOf,
): AssociationSetDefinition['ends'] | undefined {
  const renamed = Object.entries(ends).flatMap(([role, end]) => {
    const name = nameOf(typeof end === 'string' ? end : end.entitySet)
    if (name === undefined) return []
    return [[role, typeof end === 'string' ? name : { ...end, entitySet: name }] as const]
  })
  return renamed.length === 2 ? Object.fromEntries(renamed) : undefined
}
