/** What a service holds while nobody asks it for anything. */
export interface Measurement {
  /** Bytes. */
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
  readonly connections: number
  /** What keeps the process running, counted by kind. */
  readonly resources: Readonly<Record<string, number>>
  /** What the open files, pipes and sockets are. */
  readonly descriptors: readonly string[]
  readonly listeners: number
  readonly isDatabaseIdle: boolean
  /** Errors that nobody handled, and warnings. */
  readonly uncaught: readonly string[]
  /** What `onError` was told. */
  readonly failures: readonly string[]
}

/** Milliseconds: short, so that many requests exceed it. */
export const requestTime = 1_500

/** More than the buffers of connections take in. */
export const bigFile = { name: 'big.bin', size: 16 * 1024 * 1024 } as const
