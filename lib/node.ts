/** OData V2 services without Express: everything but `odataV2`. @packageDocumentation */
export { printModel } from './csdl/print-model.js'
export { readEdmx } from './csdl/read-edmx.js'
export type { WriteEdmxOptions } from './csdl/write-edmx.js'
export { writeEdmx } from './csdl/write-edmx.js'
export { ModelError } from './edm/build/model-error.js'
export type { AnnotationOptions, AnnotationSource } from './csdl/annotations/annotation-options.js'
export { annotate, dataField, path, term, valueList } from './edm/vocabularies/annotate.js'
export type { AnnotateOptions, AnnotationSet, ValueListOptions } from './edm/vocabularies/annotate.js'
export type {
  DataFieldRecord,
  Facet,
  PathValue,
  TargetAnnotations,
  ValueListParameter,
  ValueListRecord,
} from './edm/vocabularies/terms.js'
export { defineModel, edm } from './edm/define-model.js'
export type {
  EdmModel,
  Schema,
  Using,
  StructuralType,
  EntityType,
  ComplexType,
  Property,
  NavigationProperty,
  Multiplicity,
  Association,
  AssociationEnd,
  ReferentialConstraint,
  EntityContainer,
  EntitySet,
  AssociationSet,
  AssociationSetEnd,
  FunctionImport,
  FunctionReturnType,
  FunctionParameter,
} from './edm/edm-model.js'
export type {
  EntityOf,
  EntitySetName,
  FunctionName,
  FunctionParameters,
  FunctionResult,
  InsertOf,
  KeyOf,
  PrimitiveInputs,
  PrimitiveValues,
  RowOf,
} from './edm/infer.js'
export type { ModelDefinition } from './edm/model-definition.js'
export type { Enclosing, ProviderEvent, RequestEvent } from './diagnostics/channels.js'
export { metrics } from './diagnostics/metrics.js'
export type { MetricsApi, MetricsOptions } from './diagnostics/metrics.js'
export { tracing } from './diagnostics/tracing.js'
export type { TracingApi, TracingSpan } from './diagnostics/tracing.js'
export type { PrimitiveTypeName } from './edm/primitive-types/primitive-type-name.js'
export type { ODataErrorCode } from './errors/error-codes.js'
export { ODataError } from './errors/odata-error.js'
export type { ODataErrorDetail, ODataErrorDetails, ODataErrorOptions } from './errors/odata-error.js'
export type { Row } from './evaluation/row.js'
export { createServer } from './http/create-server.js'
export type { ExpressApplication } from './http/create-server.js'
export type { CsrfOptions } from './http/csrf-token.js'
export { tenants } from './http/tenants.js'
export type { Tenant, TenantsHandler, TenantsOptions } from './http/tenants.js'
export { health } from './http/health.js'
export type { HealthHandler, HealthOptions, HealthSource, HealthStatus } from './http/health.js'
export { germanMessages } from './http/german-messages.js'
export type { MessageText } from './http/language.js'
export type { LanguageOptions, LanguageTexts } from './http/language-options.js'
export type { LabelTexts } from './csdl/localized-model.js'
export type { Closable, CloseOptions } from './http/request-tracker.js'
export { compareModels } from './tools/model-diff/compare-models.js'
export type { ChangedElement, ModelChange } from './tools/model-diff/comparison.js'
export { generateData } from './tools/mock/generate-data.js'
export type { GenerateDataOptions, GeneratedData, GeneratedRow } from './tools/mock/generate-data.js'
export { openApiDocument } from './tools/openapi/openapi-document.js'
export type { OpenApiDocument, OpenApiOptions } from './tools/openapi/openapi-document.js'
export type { GroupingProperty, GroupingSpec, GroupMeasure } from './evaluation/aggregate.js'
export type { GroupPage } from './provider/pushdown.js'
export type { AggregationMethod, MeasureOption } from './edm/measure-option.js'
export type { AnalyticalSetOptions, AnalyticsOptions } from './edm/analytics-options.js'
export type { SapFacets } from './edm/sap-facets.js'
export type { DefaultFormat } from './formats/negotiate.js'
export type { ExportFormatName, ExportOptions } from './formats/export/export-options.js'
export type { OpenApiInfo } from './http/openapi-options.js'
export type { PageCacheOptions, PageStore } from './http/page-cache-options.js'
export type { SignedLinksOptions } from './http/signed-links-options.js'
export type { RepeatableRequestsOptions } from './http/repeatable-requests-options.js'
export { redisPageStore } from './http/redis-page-store.js'
export type { RedisClient, RedisPageStoreOptions } from './http/redis-page-store.js'
export type { Limits } from './limits.js'
export type { PageSizes, ServiceOptions } from './options.js'
export type { AccessRights, Authorize, Operation } from './provider/authorize.js'
export { callWith } from './provider/provider-call.js'
export { inTransaction } from './provider/in-transaction.js'
export type { ChangeQueue, ChangeSet } from './provider/change-set.js'
export { filter } from './provider/authorize.js'
export type { FilterTemplate } from './provider/authorize.js'
export type { ComputedProperties, ComputedProperty } from './provider/computed-properties.js'
export { computeFrom } from './provider/computed-properties.js'
export type { EntityHooks, HookCall, Hooks, HookValues } from './provider/hooks.js'
export type {
  MediaContent,
  MediaProvider,
  MediaRequest,
  MediaResource,
  MediaSource,
  NewMedia,
} from './provider/media.js'
export type { MediaStore, StoredContent } from './provider/media-store.js'
export type {
  ObjectList,
  ObjectListQuery,
  ObjectStore,
  ObjectWriteOptions,
  StoredObject,
} from './provider/object-store.js'
export type { Message, MessageDetail, Messages, MessageSeverity } from './provider/messages.js'
export type { RequestIds } from './util/request-ids.js'
export type { ProviderCall } from './provider/provider-call.js'
export type {
  Provider,
  Rows,
  RowsPage,
  GroupsPage,
  EntitySetProvider,
  EntityChanges,
  AutocommitChanges,
  WriteCondition,
  LinkChange,
  Pushdown,
  AggregateQuery,
  ChangedRow,
  Changes,
  ChangeSource,
  ChangesQuery,
  CountQuery,
  ExpandBranch,
  ReadQuery,
  KeyQuery,
  RelatedTo,
  RelatedQuery,
  RequestRecord,
  RequestRecords,
  FunctionHandler,
  FunctionHandlers,
} from './provider/provider.js'
export { fileModel } from './providers/file-system/file-model.js'
export { fileProvider } from './providers/file-system/file-provider.js'
export type { FileProviderOptions } from './providers/file-system/file-provider-options.js'
export { objectStorage } from './providers/media-store/object-storage.js'
export type { ObjectStorage, ObjectStorageOptions } from './providers/media-store/object-storage.js'
export type {
  ObjectAddress,
  ObjectListInput,
  ObjectListOutput,
  ObjectMetadata,
  ObjectStorageClient,
  StorageRequestOptions,
  StoredBytes,
  UploadedPart,
  StoreCondition,
} from './providers/media-store/object-storage-client.js'
export { withMediaStore } from './providers/media-store/with-media-store.js'
export type { MemoryData } from './providers/memory/memory-data.js'
export { memoryProvider } from './providers/memory/memory-provider.js'
export type { MemoryChangeTracking, MemoryProviderOptions } from './providers/memory/memory-provider.js'
export { conjunctsOf } from './query/expression.js'
export type {
  Expression,
  Literal,
  PathStep,
  PropertyPath,
  EntityPath,
  Unary,
  Binary,
  Call,
  Cast,
  IsOf,
  OrderByTerm,
  SearchQuery,
} from './query/expression.js'
export { requestListener } from './request-listener.js'
export type { RequestListenerOptions, ServiceListener } from './request-listener.js'
export { XmlError } from './xml/parse-xml.js'
