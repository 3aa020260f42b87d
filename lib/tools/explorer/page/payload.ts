/** One entity of an answer in verbose JSON. */
export type Entity = Readonly<Record<string, unknown>>

export interface Page {
  readonly entities: readonly Entity[]
  readonly count: string | undefined
  /** Address of the next page. */
  readonly next: unknown
}

export interface Metadata {
  readonly uri?: unknown
  readonly type?: unknown
  readonly etag?: unknown
  readonly content_type?: unknown
  readonly media_src?: unknown
}

/** What stands within `d`, which version 1 writes without `results`. */
export function documentOf(text: string): unknown {
  const parsed = JSON.parse(text) as { d?: unknown }
  return typeof parsed === 'object' && parsed !== null && 'd' in parsed ? parsed.d : parsed
}

/** @returns undefined when it is not a collection */
export function pageOf(document: unknown): Page | undefined {
  if (Array.isArray(document)) return { entities: document as Entity[], count: undefined, next: undefined }
  if (!isEntity(document) || !Array.isArray(document.results)) return undefined
  const { results, __count: count, __next: next } = document
  return {
    entities: results as Entity[],
    count: typeof count === 'string' ? count : undefined,
    next,
  }
}

export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function metadataOf(entity: Entity): Metadata {
  return isEntity(entity.__metadata) ? entity.__metadata : {}
}

/** The address behind a navigation property that was not expanded. */
export function deferredAddress(value: unknown): unknown {
  return isEntity(value) && isEntity(value.__deferred) ? value.__deferred.uri : undefined
}
