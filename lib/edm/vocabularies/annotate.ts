import type { EdmModel } from '../edm-model.js'
import type { AnnotationTargets } from './annotation-targets.js'
import { deriveLabels, deriveValueHelps, deriveLists } from './derive-annotations.js'
import type {
  DataFieldRecord,
  LocalizedText,
  PathValue,
  TargetAnnotations,
  ValueListRecord,
} from './terms.js'

/**
 * Annotations of a model, created by {@link annotate}: terms by target.
 *
 * @example
 * const annotations: AnnotationSet = annotate(model, { 'Shop.Product': { 'UI.SelectionFields': ['Name'] } })
 * app.use('/shop', odataV2(model, provider, { annotations }))
 */
export interface AnnotationSet {
  readonly kind: 'Annotations'
  /** Terms by target: `Shop.Product`, `Shop.Product/Name`. */
  readonly targets: Readonly<Record<string, TargetAnnotations>>
}

/**
 * Annotations that {@link annotate} derives from the model. Terms that you set yourself replace them.
 *
 * @example const annotations = annotate(model, {}, { valueHelps: true, labels: true, lists: true })
 */
export interface AnnotateOptions {
  /**
   * If true, annotates each foreign key with a value help of the related entities, and with their description.
   * Default: false.
   */
  readonly valueHelps?: boolean
  /** If true, annotates properties and entity sets with the words of their names: `Unit Price`. Default: false. */
  readonly labels?: boolean
  /** If true, annotates the type of each entity set with a title, columns and filters. Default: false. */
  readonly lists?: boolean
}

/**
 * Creates annotations for the option `annotations`. The compiler checks the names of targets and terms, and the paths of
 * properties.
 *
 * @param model the model that the annotations describe
 * @param targets terms by target: `Namespace.Type`, `Namespace.Type/Property`, `Namespace.Container/EntitySet`
 * @param options `valueHelps`, `labels` and `lists` derive annotations from the model
 * @returns annotations, whose names the service validates at start-up
 * @example
 * const annotations = annotate(model, {
 *   'Shop.Product': { 'UI.LineItem': [dataField('Name')], 'UI.SelectionFields': ['Name'] },
 * })
 * @spec OData V4 CSDL 14 (Vocabulary and Annotation)
 */
export function annotate<Definition>(
  model: EdmModel<Definition>,
  targets: AnnotationTargets<Definition>,
  { valueHelps = false, labels = false, lists = false }: AnnotateOptions = {},
): AnnotationSet {
  const given: AnnotationSet['targets'] = targets
  const all = [
    ...(labels ? [deriveLabels(model)] : []),
    ...(lists ? [deriveLists(model)] : []),
    ...(valueHelps ? [deriveValueHelps(model)] : []),
    given,
  ]
  if (all.length === 1) return { kind: 'Annotations', targets: given }
  const merged: Record<string, TargetAnnotations> = {}
  for (const one of all) {
    for (const [target, terms] of Object.entries(one)) merged[target] = { ...merged[target], ...terms }
  }
  return { kind: 'Annotations', targets: merged }
}

/**
 * Refers to the value of a property in annotations.
 *
 * @param name a property, or a path over navigation properties: `Category/Name`
 * @example const unit = path('Currency') // { $Path: 'Currency' }
 */
export function path<const Path extends string>(name: Path): PathValue<Path> {
  return { $Path: name }
}

type DataFieldOptions<Path extends string> = Omit<
  Extract<DataFieldRecord<Path>, { readonly $Type: 'UI.DataField' }>,
  '$Type' | 'Value'
>

/**
 * Creates a column or field that shows a property.
 *
 * @param name a property, or a path over navigation properties
 * @param options label, criticality and importance
 * @example const price = dataField('Price', { Label: 'Net price' })
 */
export function dataField<const Path extends string>(
  name: Path,
  options: DataFieldOptions<Path> = {},
): DataFieldRecord<Path> {
  return { $Type: 'UI.DataField', Value: { $Path: name }, ...options }
}

/**
 * Properties of a value help. The keys are properties of the annotated type, the values those of the listed set.
 *
 * @example
 * const options: ValueListOptions<'CategoryID'> = {
 *   inOut: { CategoryID: 'ID' },
 *   display: ['Name'],
 *   label: 'Categories',
 * }
 * const categories = valueList('Categories', options)
 */
export interface ValueListOptions<Path extends string = string> {
  /** Values of the entity that filter the list. Default: none. */
  readonly in?: { readonly [Name in Path]?: string }
  /** Values that filter the list, and that the selected row replaces. Default: none. */
  readonly inOut?: { readonly [Name in Path]?: string }
  /** Values that the selected row sets. Default: none. */
  readonly out?: { readonly [Name in Path]?: string }
  /** Properties of the listed set that are only shown. Default: none. */
  readonly display?: readonly string[]
  /** True if clients can search the listed set. Default: true if the service does, see the option `search`. */
  readonly search?: boolean
  /** The title of the list. Default: none. */
  readonly label?: LocalizedText
}

/**
 * Creates the value help of a property: a list of the entities of an entity set.
 *
 * @param entitySet the listed entity set
 * @example const categories = valueList('Categories', { inOut: { CategoryID: 'ID' }, display: ['Name'] })
 */
export function valueList<const Path extends string>(
  entitySet: string,
  options: ValueListOptions<Path>,
): ValueListRecord<Path> {
  const related = (
    type: 'In' | 'InOut' | 'Out',
    properties: object = {},
  ): ValueListRecord<Path>['Parameters'] =>
    Object.entries(properties).map(([local, listed]) => ({
      $Type: `Common.ValueListParameter${type}` as const,
      LocalDataProperty: local as Path,
      ValueListProperty: String(listed),
    }))
  const shown = (options.display ?? []).map((name) => ({
    $Type: 'Common.ValueListParameterDisplayOnly' as const,
    ValueListProperty: name,
  }))
  return {
    CollectionPath: entitySet,
    ...(options.label === undefined ? {} : { Label: options.label }),
    ...(options.search === undefined ? {} : { SearchSupported: options.search }),
    Parameters: [
      ...related('In', options.in),
      ...related('InOut', options.inOut),
      ...related('Out', options.out),
      ...shown,
    ],
  }
}

/**
 * Creates an annotation with a term of any vocabulary.
 *
 * @param name the full name, with a qualifier after `#` if needed
 * @param value a constant, {@link path}, a record or an array
 * @example const annotations = annotate(model, { 'Shop.Product': { ...term('com.example.v1.Reviewed', true) } })
 */
export function term<const Name extends `${string}.${string}.${string}`>(
  name: Name,
  value: unknown,
): { readonly [N in Name]: unknown } {
  return { [name]: value } as { readonly [N in Name]: unknown }
}
