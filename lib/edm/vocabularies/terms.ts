/**
 * The terms that Fiori elements for OData V2 reads, as values of TypeScript. Strings are constants, except members for
 * paths and enumerations.
 *
 * @spec https://github.com/SAP/odata-vocabularies
 */

/**
 * A reference to the value of a property; see {@link path}.
 *
 * @example const unit: PathValue<'Currency'> = path('Currency') // { $Path: 'Currency' }
 */
export interface PathValue<Path extends string = string> {
  /** A property, or a path over navigation properties: `Category/Name`. */
  readonly $Path: Path
}

/** A constant or the value of a property. */
type Value<Path extends string, Constant = string> = Constant | PathValue<Path>

/** A string that users see, or its translations by the tags of the option `languages`: `{ en: 'Product', de: 'Produkt' }`. */
export type LocalizedText = string | { readonly [Tag in string]: string }

/** Annotations of a record or of a term, with `@` before the term. */
interface Importance {
  readonly '@UI.Importance'?: 'High' | 'Medium' | 'Low'
}

interface DataFieldBase<Path extends string> extends Importance {
  readonly Label?: LocalizedText
  readonly Criticality?: PathValue<Path> | Criticality
  readonly CriticalityRepresentation?: 'WithIcon' | 'WithoutIcon'
  readonly '@UI.Hidden'?: Value<Path, boolean>
}

type Criticality = 'Neutral' | 'Negative' | 'Critical' | 'Positive' | 'Information'

/**
 * A column of a table, or a field of a form.
 *
 * @example
 * const website: DataFieldRecord = { $Type: 'UI.DataFieldWithUrl', Value: path('Name'), Url: path('Website') }
 * const annotations = annotate(model, { 'Shop.Product': { 'UI.LineItem': [dataField('Name'), website] } })
 */
export type DataFieldRecord<Path extends string = string> =
  | (DataFieldBase<Path> & {
      readonly $Type: 'UI.DataField'
      readonly Value: Value<Path>
      readonly IconUrl?: Value<Path>
    })
  | (DataFieldBase<Path> & {
      readonly $Type: 'UI.DataFieldWithUrl'
      readonly Value: Value<Path>
      readonly Url: Value<Path>
    })
  | (DataFieldBase<Path> & {
      readonly $Type: 'UI.DataFieldWithNavigationPath'
      readonly Value: Value<Path>
      readonly Target: string
    })
  | (DataFieldBase<Path> & { readonly $Type: 'UI.DataFieldForAnnotation'; readonly Target: string })
  | (DataFieldBase<Path> & {
      readonly $Type: 'UI.DataFieldForAction'
      /** `Container/Function`. */
      readonly Action: string
      readonly InvocationGrouping?: 'Isolated' | 'ChangeSet'
      readonly Inline?: boolean
    })
  | (DataFieldBase<Path> & {
      readonly $Type: 'UI.DataFieldForIntentBasedNavigation'
      readonly SemanticObject: Value<Path>
      readonly Action: Value<Path>
    })

/** A value without `$Type`, for example the title of a page. */
interface PlainDataField<Path extends string> {
  readonly Value: Value<Path>
  readonly Label?: LocalizedText
}

/**
 * A section of an object page. `Target` is the path of an annotation, `Lines/@UI.LineItem`.
 *
 * @example
 * const prices: Facet = { $Type: 'UI.ReferenceFacet', Label: 'Prices', Target: 'Prices/@UI.LineItem' }
 * const annotations = annotate(model, { 'Shop.Product': { 'UI.Facets': [prices] } })
 */
export type Facet =
  | (Importance & {
      readonly $Type: 'UI.ReferenceFacet'
      readonly ID?: string
      readonly Label?: LocalizedText
      readonly Target: string
    })
  | (Importance & {
      readonly $Type: 'UI.CollectionFacet'
      readonly ID?: string
      readonly Label?: LocalizedText
      readonly Facets: readonly Facet[]
    })

/**
 * A parameter of a value help: the property of the entity, and that of the listed entities.
 *
 * @example
 * const shown: ValueListParameter = {
 *   $Type: 'Common.ValueListParameterDisplayOnly',
 *   ValueListProperty: 'Name',
 * }
 */
export type ValueListParameter<Path extends string = string> =
  | {
      readonly $Type:
        'Common.ValueListParameterIn' | 'Common.ValueListParameterInOut' | 'Common.ValueListParameterOut'
      readonly LocalDataProperty: Path
      readonly ValueListProperty: string
    }
  | { readonly $Type: 'Common.ValueListParameterDisplayOnly'; readonly ValueListProperty: string }
  | {
      readonly $Type: 'Common.ValueListParameterConstant'
      readonly ValueListProperty: string
      readonly Constant: string
    }

/**
 * A value help: the entity set that it lists, and how its properties are related to those of the entity.
 *
 * @example
 * const categories: ValueListRecord = valueList('Categories', { inOut: { CategoryID: 'ID' } })
 * const annotations = annotate(model, { 'Shop.Product/CategoryID': { 'Common.ValueList': categories } })
 */
export interface ValueListRecord<Path extends string = string> {
  /** The name of the listed entity set. */
  readonly CollectionPath: string
  /** The title of the list. */
  readonly Label?: LocalizedText
  /** True if clients can search the listed set. */
  readonly SearchSupported?: boolean
  /** How the properties are related. */
  readonly Parameters: readonly ValueListParameter<Path>[]
}

interface SortOrder<Path extends string> {
  readonly Property: Path
  readonly Descending?: boolean
}

interface SelectRange {
  readonly Sign: 'I' | 'E'
  readonly Option: 'EQ' | 'BT' | 'CP' | 'LE' | 'GE' | 'NE' | 'LT' | 'GT'
  readonly Low: string | number | boolean
  readonly High?: string | number | boolean
}

interface ChartRecord<Path extends string> {
  readonly Title?: LocalizedText
  readonly Description?: LocalizedText
  readonly ChartType:
    'Column' | 'Bar' | 'Line' | 'Pie' | 'Donut' | 'Area' | 'ColumnStacked' | 'BarStacked' | 'Bubble'
  readonly Dimensions?: readonly Path[]
  readonly Measures?: readonly Path[]
  readonly DimensionAttributes?: readonly {
    readonly Dimension: Path
    readonly Role?: 'Category' | 'Series'
  }[]
  readonly MeasureAttributes?: readonly {
    readonly Measure: Path
    readonly Role?: 'Axis1' | 'Axis2' | 'Axis3'
  }[]
}

interface ContactRecord<Path extends string> {
  readonly fn?: Value<Path>
  readonly title?: Value<Path>
  readonly org?: Value<Path>
  readonly role?: Value<Path>
  readonly photo?: Value<Path>
  readonly tel?: readonly { readonly uri: Value<Path> }[]
  readonly email?: readonly { readonly address: Value<Path> }[]
}

/** The terms without qualifier, for paths of one type. */
interface Terms<Path extends string = string> {
  readonly 'UI.LineItem'?: readonly DataFieldRecord<Path>[]
  readonly 'UI.SelectionFields'?: readonly Path[]
  readonly 'UI.HeaderInfo'?: {
    readonly TypeName: LocalizedText
    readonly TypeNamePlural: LocalizedText
    readonly Title?: PlainDataField<Path>
    readonly Description?: PlainDataField<Path>
    readonly ImageUrl?: Value<Path>
    readonly TypeImageUrl?: Value<Path>
  }
  readonly 'UI.Facets'?: readonly Facet[]
  readonly 'UI.HeaderFacets'?: readonly Facet[]
  readonly 'UI.Identification'?: readonly DataFieldRecord<Path>[]
  readonly 'UI.FieldGroup'?: {
    readonly Label?: LocalizedText
    readonly Data: readonly DataFieldRecord<Path>[]
  }
  readonly 'UI.DataPoint'?: {
    readonly Title?: LocalizedText
    readonly Description?: Value<Path, LocalizedText>
    readonly Value: PathValue<Path>
    readonly TargetValue?: Value<Path, number>
    readonly Criticality?: PathValue<Path> | Criticality
    readonly Visualization?: 'Number' | 'BulletChart' | 'Progress' | 'Rating' | 'Donut'
  }
  readonly 'UI.Chart'?: ChartRecord<Path>
  readonly 'UI.PresentationVariant'?: {
    readonly SortOrder?: readonly SortOrder<Path>[]
    readonly GroupBy?: readonly Path[]
    readonly MaxItems?: number
    readonly RequestAtLeast?: readonly Path[]
    readonly Visualizations?: readonly string[]
  }
  readonly 'UI.SelectionVariant'?: {
    readonly Text?: LocalizedText
    readonly SelectOptions: readonly {
      readonly PropertyName: Path
      readonly Ranges: readonly SelectRange[]
    }[]
  }
  readonly 'UI.Hidden'?: Value<Path, boolean>
  readonly 'UI.MultiLineText'?: boolean
  readonly 'UI.IsImageURL'?: boolean
  readonly 'UI.TextArrangement'?: TextArrangement
  readonly 'UI.CreateHidden'?: Value<Path, boolean>
  readonly 'UI.UpdateHidden'?: Value<Path, boolean>
  readonly 'UI.DeleteHidden'?: Value<Path, boolean>
  readonly 'Common.Label'?: LocalizedText
  readonly 'Common.Text'?: Value<Path>
  readonly 'Common.Text@UI.TextArrangement'?: TextArrangement
  readonly 'Common.ValueList'?: ValueListRecord<Path>
  readonly 'Common.ValueListWithFixedValues'?: boolean
  readonly 'Common.FieldControl'?: PathValue<Path> | 'Mandatory' | 'Optional' | 'ReadOnly' | 'Hidden'
  readonly 'Common.SemanticKey'?: readonly Path[]
  readonly 'Common.SemanticObject'?: string
  readonly 'Common.QuickInfo'?: Value<Path, LocalizedText>
  readonly 'Common.Heading'?: LocalizedText
  readonly 'Common.IsUpperCase'?: boolean
  readonly 'Measures.ISOCurrency'?: Value<Path>
  readonly 'Measures.Unit'?: Value<Path>
  readonly 'Measures.Scale'?: Value<Path, number>
  readonly 'Capabilities.InsertRestrictions'?: { readonly Insertable?: Value<Path, boolean> }
  readonly 'Capabilities.UpdateRestrictions'?: { readonly Updatable?: Value<Path, boolean> }
  readonly 'Capabilities.DeleteRestrictions'?: { readonly Deletable?: Value<Path, boolean> }
  readonly 'Capabilities.SearchRestrictions'?: { readonly Searchable?: boolean }
  readonly 'Capabilities.FilterRestrictions'?: {
    readonly Filterable?: boolean
    readonly RequiresFilter?: boolean
    readonly RequiredProperties?: readonly Path[]
    readonly NonFilterableProperties?: readonly Path[]
  }
  readonly 'Capabilities.SortRestrictions'?: {
    readonly Sortable?: boolean
    readonly NonSortableProperties?: readonly Path[]
  }
  readonly 'Communication.Contact'?: ContactRecord<Path>
}

type TextArrangement = 'TextFirst' | 'TextLast' | 'TextOnly' | 'TextSeparate'

/**
 * The annotations of one target: terms, with a qualifier after `#`, and terms of other vocabularies by full name.
 *
 * @example
 * const product: TargetAnnotations = { 'UI.LineItem': [dataField('Name')], 'UI.LineItem#Short': [] }
 * const annotations = annotate(model, { 'Shop.Product': product })
 */
export type TargetAnnotations<Path extends string = string> = Terms<Path> & {
  readonly [Name in keyof Terms as `${Name}#${string}`]?: Terms<Path>[Name]
} & { readonly [Name in `${string}.${string}.${string}`]?: unknown }
