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
