import type { Row } from '../../evaluation/row.js'
import type { QueryOption } from './query-text.js'
import type { UpstreamChange } from './upstream-change.js'

/** The JSON, the options and the changes of a version of OData. */
export interface UpstreamProtocol {
  /** The media type of entities in responses. */
  readonly accept: string
  /** The media type of entities in requests. */
  readonly contentType: string
  /** Returns the entity or value in the document of a response. */
  contentOf(document: Readonly<Record<string, unknown>>): unknown
  /** Returns the entities in the content of a response, their number, and the link to the next page. */
  pageOf(content: unknown): PageContent
  /** Returns the related entities in an entity. @param name of the navigation property in the service */
  nestedPageOf(entity: Readonly<Record<string, unknown>>, name: string): PageContent
  /** True if related entities are sent in the order that `$expand` requests. */
  readonly sortsNested: boolean
  /** Requests the number of entities with a page. */
  readonly countOption: QueryOption
  /** Returns the ETag in an entity. @throws ODataError for a value that headers cannot have */
  etagOfRow(row: Row): string | undefined
  /** Returns the ETag of a response as clients get it. */
  etagOf(header: string | undefined): string | undefined
  readonly updateMethod: 'MERGE' | 'PATCH'
  /** True if an update without `If-Match` inserts an entity that does not exist. */
  readonly updateInserts: boolean
  /** Returns the headers of a change. @param isRepresentation whether the response should contain the entity */
  preference(isRepresentation: boolean): Readonly<Record<string, string>>
  link(link: UpstreamLink): UpstreamChange
  unlink(link: UpstreamLink): UpstreamChange
}

/** The members of a page, before they are checked. */
export interface PageContent {
  readonly value?: unknown
  readonly count?: unknown
  readonly link?: unknown
}

/** A link between two entities. */
export interface UpstreamLink {
  /** The path of the entity that the link starts at, percent-encoded. */
  readonly path: string
  /** The name of the navigation property in the service. */
  readonly name: string
  readonly isCollection: boolean
  /** The URL of the service root. */
  readonly root: string
  /** The path of the other entity, percent-encoded, and its key in parentheses. */
  readonly target: string
  readonly targetKey: string
}
