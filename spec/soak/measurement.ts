/** The resources of an idle service. */
export interface Measurement {
  /** Bytes. */
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
  readonly connections: number
  /** Active handles that keep the process running, counted by kind. */
  readonly resources: Readonly<Record<string, number>>
  /** Targets of the open files, pipes and sockets. */
  readonly descriptors: readonly string[]
  readonly listeners: number
  readonly isDatabaseIdle: boolean
  /** Unhandled errors, and warnings. */
  readonly uncaught: readonly string[]
  /** Errors passed to `onError`. */
  readonly failures: readonly string[]
}

/** Milliseconds: short, so that many requests exceed it. */
export const requestTime = 1_500

/** More than the buffers of connections take in. */
export const bigFile = { name: 'big.bin', size: 16 * 1024 * 1024 } as const
