import type { PromiseOrValue } from '../util/promise-or-value.js'

/** The bytes of a body, as they come. */
export interface RequestBody extends AsyncIterable<Uint8Array> {
  /**
   * All of them, where they are there or known to be few: nothing has to be made for each piece then.
   *
   * @param most how many bytes it may be
   * @returns undefined when they have to be read piece by piece
   */
  whole?(most: number): PromiseOrValue<Uint8Array> | undefined
}

/** A request as the service sees it, whatever server it came through. */
export interface ODataRequest {
  /** In capitals. */
  readonly method: string
  /** Path and query below the service root, exactly as they were sent. */
  readonly target: string
  /** The whole address as the client wrote it, for requests that came by themselves. */
  readonly address?: string | undefined
  /** Absolute address of the service with a slash at the end, safe to stand in XML and JSON. */
  readonly serviceRoot: string
  /** Aborted when the client has gone away, or the request is given up, before the answer was complete. */
  readonly signal: AbortSignal
  /** Whether it is aborted; to ask this costs less than a signal. */
  readonly isAborted: boolean
  /** @param name in lower case */
  header(name: string): string | undefined
  /**
   * The bytes of the body, which can be read once. To leave them before their end closes nothing; they end with
   * BadRequest when the client goes away.
   */
  body(): RequestBody
  /** What the application knows of the caller. */
  context(): PromiseOrValue<unknown>
}

/**
 * What a `Slug` header says: text in UTF-8 that is percent-encoded. It is a hint, so one that says nothing is none.
 *
 * @spec RFC 5023 9.7
 */
export function slugOf(header: string | undefined): string | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
