import type Localization from 'sap/base/i18n/Localization'
import type Column from 'sap/m/Column'
import type ColumnListItem from 'sap/m/ColumnListItem'
import type ScrollContainer from 'sap/m/ScrollContainer'
import type Table from 'sap/m/Table'
import type Text from 'sap/m/Text'
import type Title from 'sap/m/Title'
import type Control from 'sap/ui/core/Control'
import type Messaging from 'sap/ui/core/Messaging'
import type Filter from 'sap/ui/model/Filter'
import type Sorter from 'sap/ui/model/Sorter'
import type ODataType from 'sap/ui/model/odata/type/ODataType'
import type ODataModel from 'sap/ui/model/odata/v2/ODataModel'
import type AnalyticalColumn from 'sap/ui/table/AnalyticalColumn'
import type AnalyticalTable from 'sap/ui/table/AnalyticalTable'
import type GridColumn from 'sap/ui/table/Column'
import type GridTable from 'sap/ui/table/Table'
import type TreeTable from 'sap/ui/table/TreeTable'

/** A collection as the model hands it over. */
export interface Collection {
  readonly results: readonly Entity[]
  readonly __count?: string
  readonly __next?: string
}

export type Entity = Readonly<Record<string, unknown>>

export interface HttpResponse<Data> {
  readonly data: Data
  readonly response: { readonly statusCode: number | string; readonly headers: Record<string, string> }
}

export interface Refusal {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** A message that OpenUI5 would show. */
export interface ShownMessage {
  readonly text: string
  readonly type: string
  readonly code: string
  /** The property that it belongs to: `/Products(1)/UnitPrice`. */
  readonly target: string
  readonly status: number
}

export type TypeName = 'DateTime' | 'DateTimeOffset' | 'Decimal' | 'Guid' | 'Int64' | 'Time'

/** As much of `sap.ui.model.odata.ODataMetaModel` as the specs use. */
export interface MetaModel {
  getODataEntityType(name: string): Entity
  getODataEntitySet(name: string): Entity
  getODataProperty(type: Entity, name: string): Entity
  getODataAssociationEnd(type: Entity, name: string): Entity
  getODataFunctionImport(name: string): Entity
  getMetaContext(path: string): { getObject(): Entity }
  getODataValueLists(context: object): Promise<Readonly<Record<string, ValueList>>>
}

export interface ValueList {
  readonly CollectionPath: { readonly String: string }
  readonly Label: { readonly String: string }
}

/** A binding of groups, as far as the specs use it. */
export interface AnalyticalBinding {
  initialize(): void
  attachChange(handler: () => void): void
  getRootContexts(parameters: object): readonly (AnalyticalContext | null | undefined)[]
  getNodeContexts(parent: object, parameters: object): AnalyticalContext[]
  /** The number of groups of the last level. */
  getTotalSize(): number
}

export interface AnalyticalContext {
  getObject(): Record<string, unknown>
}

/** Arguments of functions that run in the page, created by `openui5/toolkit.js`. */
export interface Toolkit {
  readonly Localization: typeof Localization
  readonly Column: typeof Column
  readonly ColumnListItem: typeof ColumnListItem
  readonly ScrollContainer: typeof ScrollContainer
  readonly Table: typeof Table
  readonly Text: typeof Text
  readonly Title: typeof Title
  readonly Messaging: typeof Messaging
  readonly Filter: typeof Filter
  readonly Sorter: typeof Sorter
  readonly AnalyticalColumn: typeof AnalyticalColumn
  readonly AnalyticalTable: typeof AnalyticalTable
  readonly GridColumn: typeof GridColumn
  readonly GridTable: typeof GridTable
  readonly TreeTable: typeof TreeTable
  readonly types: Readonly<Record<TypeName, new (formatOptions: object, constraints: object) => ODataType>>
  /** Binds an analytical set without a table. */
  readonly bindAnalytical: (
    model: ODataModel,
    path: string,
    parameters: object,
    sorters?: Sorter[],
    filters?: Filter[],
  ) => AnalyticalBinding
  /** A model whose metadata is there. */
  readonly open: (root: string, settings?: object) => Promise<ODataModel>
  /** Resolves with the metadata of the model as soon as they are loaded. */
  readonly metaOf: (model: ODataModel) => Promise<MetaModel>
  readonly read: <Data = Collection>(
    model: ODataModel,
    path: string,
    parameters?: Parameters<ODataModel['read']>[1],
  ) => Promise<HttpResponse<Data>>
  readonly create: (
    model: ODataModel,
    path: string,
    data: object,
    parameters?: Parameters<ODataModel['create']>[2],
  ) => Promise<HttpResponse<Entity>>
  readonly update: (
    model: ODataModel,
    path: string,
    data: object,
    parameters?: Parameters<ODataModel['update']>[2],
  ) => Promise<HttpResponse<undefined>>
  readonly remove: (
    model: ODataModel,
    path: string,
    parameters?: Parameters<ODataModel['remove']>[1],
  ) => Promise<HttpResponse<undefined>>
  readonly call: <Data = Entity>(
    model: ODataModel,
    path: string,
    parameters?: Parameters<ODataModel['callFunction']>[1],
  ) => Promise<HttpResponse<Data>>
  readonly submit: (
    model: ODataModel,
    parameters?: { groupId?: string },
  ) => Promise<HttpResponse<Entity | undefined>>
  /** The path of an entity by its key. */
  readonly pathOf: (model: ODataModel, set: string, entity: object) => string
  /** Resolves with the error of a failed call. */
  readonly refusal: (promise: Promise<unknown>) => Promise<Refusal>
  /** Messages that were displayed to the user. */
  readonly messages: () => ShownMessage[]
  readonly show: <Shown extends Control>(control: Shown) => Shown
  /** Waits until something is true; fails after ten seconds. */
  readonly until: (condition: () => boolean, what: string) => Promise<void>
}
