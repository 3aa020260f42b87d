import type { RefusedParts } from './refused-parts.js'
import type { UpstreamRequest, UpstreamResponse } from './upstream-request.js'
import type { UpstreamClient } from './upstream-client.js'

/** The JSON of a version of OData. */
export interface UpstreamProtocol {
  /** The media type of entities in responses. */
  readonly accept: string
  /** The media type of entities in requests. */
  readonly contentType: string
  /** Returns the entity or value in the document of a response. */
  contentOf(document: Readonly<Record<string, unknown>>): unknown
  /** Returns the entities in the content of a response, their number, and the link to the next page. */
  pageOf(content: unknown): PageContent
}

/** The members of a page, before they are checked. */
export interface PageContent {
  readonly value?: unknown
  readonly count?: unknown
  readonly link?: unknown
}

/** A response in a batch. */
export type BatchedResponse = Pick<UpstreamResponse, 'status' | 'headers' | 'text'>

/** The client and the protocol that all entity sets of an upstream service share. */
export interface UpstreamService {
  readonly client: UpstreamClient
  readonly protocol: UpstreamProtocol
  /**
   * Sends a read whose URL is longer than servers accept.
   *
   * @throws ODataError as for the client
   */
  sendLongRead(request: UpstreamRequest): Promise<BatchedResponse>
  /** The parts of queries that the service has refused. */
  readonly refused: RefusedParts
}
