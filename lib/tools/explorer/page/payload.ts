import type { Exchange } from './service-client.js'

/** An entity in verbose JSON. */
export type Entity = Readonly<Record<string, unknown>>

export interface Page {
  readonly entities: readonly Entity[]
  readonly count: string | undefined
  /** URI of the next page. */
  readonly next: unknown
}

interface Metadata {
  readonly uri?: unknown
  readonly type?: unknown
  readonly etag?: unknown
  readonly content_type?: unknown
  readonly media_src?: unknown
}

/** Parses verbose JSON and removes the `d` around it. */
export function parseDocument(text: string): unknown {
  const parsed = JSON.parse(text) as { d?: unknown }
  return typeof parsed === 'object' && parsed !== null && 'd' in parsed ? parsed.d : parsed
}

/** @returns undefined when the document is not a collection */
export function pageOf(document: unknown): Page | undefined {
  // Version 1.0 has an array instead of `results`.
  if (Array.isArray(document)) return { entities: document as Entity[], count: undefined, next: undefined }
  if (!isEntity(document) || !Array.isArray(document.results)) return undefined
  const { results, __count: count, __next: next } = document
  return { entities: results as Entity[], count: typeof count === 'string' ? count : undefined, next }
}

export function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function metadataOf(entity: Entity): Metadata {
  return isEntity(entity.__metadata) ? entity.__metadata : {}
}

/** Returns the media type of a media link entry; empty when it is unknown. */
export function contentTypeOf(entity: Entity): string {
  const { content_type: contentType } = metadataOf(entity)
  return typeof contentType === 'string' ? contentType : ''
}

/** Returns the URI of a navigation property that is not expanded. */
export function deferredUri(value: unknown): unknown {
  return isEntity(value) && isEntity(value.__deferred) ? value.__deferred.uri : undefined
}

/** An error response of the service. */
export interface ServiceError {
  readonly title: string
  readonly message: string
  /** The query option that is invalid, and the position in its value. */
  readonly option?: string
  readonly position?: number
  /** Messages in `innererror.errordetails`, with the path of the property that each is about. */
  readonly details: readonly (readonly [target: string | undefined, message: string])[]
}

/** @returns undefined for successful responses */
export function errorOf({
  status,
  statusText,
  text,
}: Pick<Exchange, 'status' | 'statusText' | 'text'>): ServiceError | undefined {
  if (status < 400) return undefined
  const error = parseError(text)
  if (error === undefined)
    return { title: `${String(status)} ${statusText}`, message: text.slice(0, 2000), details: [] }
  const { code, message, details } = error
  const option = /^(\$\w+): /.exec(message)?.[1]
  // Removes the excerpt with a caret: the query form marks the position in its field.
  const [, plain = message, position] = /^([^]*?) ?At position (\d+):\n[^]*$/.exec(message) ?? []
  return {
    title: `${String(status)} ${code}`,
    message: plain,
    details,
    ...(option === undefined ? {} : { option }),
    ...(position === undefined ? {} : { position: Number(position) }),
  }
}

/** An error document in verbose JSON. */
interface ErrorDocument {
  readonly error?: {
    readonly code?: string
    readonly message?: { readonly value?: string }
    readonly innererror?: {
      readonly errordetails?: readonly { readonly target?: string; readonly message?: string }[]
    }
  }
}

function parseError(
  text: string,
): (Pick<ServiceError, 'message' | 'details'> & { readonly code: string }) | undefined {
  try {
    const { error } = JSON.parse(text) as ErrorDocument
    if (error === undefined) return undefined
    const details = error.innererror?.errordetails ?? []
    return {
      code: error.code ?? '',
      message: error.message?.value ?? '',
      details: details.map(({ target, message }) => [target, message ?? ''] as const),
    }
  } catch {
    return undefined
  }
}
