import type { Condition } from '../../evaluation/compile-expression.js'
import type { MediaResource } from '../../provider/media.js'
import type { ProviderCall } from '../../provider/provider-call.js'
import type { PromiseOrValue } from '../../util/promise-or-value.js'
import type { TimeSlice } from '../../util/time-slice.js'
import type { FileRow } from './file-row.js'
import type { PathInterval } from './path-interval.js'

/** The plan of a query. */
export interface QueryPlan {
  readonly interval: PathInterval
  readonly descending: boolean
  /** A condition on path, name and type only. */
  readonly condition: Condition | undefined
  /** True if rows need sizes and times, which are read from the file system entry by entry. */
  readonly information: boolean
  readonly skip: number
  /** Infinite without a limit. */
  readonly top: number
}

/** The limits of a read. */
export interface ReadLimits {
  readonly slice: TimeSlice
  readonly signal: AbortSignal
}

/** Reads the rows of a query. */
export interface FileRowReader {
  /** True after all rows have been returned. */
  readonly isFinished: boolean
  /** Returns the next rows; undefined at the end. */
  next(): Promise<readonly FileRow[] | undefined>
  /** Counts the rows. */
  count(): Promise<number>
}

/** The files and directories of a file system or of a bucket, by their paths. */
export interface FileSource {
  /** True if paths can be read from the last to the first. */
  readonly readsBackwards: boolean
  /** Finds an entity by its key. */
  find(path: unknown, signal: AbortSignal): PromiseOrValue<FileRow | undefined>
  /** @param directory the path of a directory with a trailing `/`, whose entries to read; undefined for all paths */
  reader(directory: string | undefined, plan: QueryPlan, limits: ReadLimits): FileRowReader
}

/** The contents of the files of a source. */
export interface FileContents {
  contentType(row: FileRow): string
  open(row: FileRow, call: Pick<ProviderCall, 'signal'>): Promise<MediaResource | undefined>
}
