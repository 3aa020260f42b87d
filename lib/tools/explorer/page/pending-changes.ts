import type { Operation } from './batch.js'
import type { ServiceError } from './payload.js'

/** The values of properties in verbose JSON. */
export type Values = Readonly<Record<string, unknown>>

/** A change that the user has not sent yet. */
export interface PendingChange {
  operation: Operation
  /** The new values of properties. */
  readonly values: Values
  /** The error of the change when it was sent last. */
  problem?: ServiceError | undefined
  /** A comparison of the values with those that another user has stored since. */
  conflicts?: HTMLElement | undefined
}

/** The changes that are sent together, in the memory of the page only. */
export class PendingChanges {
  private changes: readonly PendingChange[] = []

  /** @param onChange called with the number of changes */
  constructor(private readonly onChange: (count: number) => void) {}

  get all(): readonly PendingChange[] {
    return this.changes
  }

  /** Returns the change of an existing entity. */
  of(address: string | undefined): PendingChange | undefined {
    return this.changes.find(({ operation }) => operation.method !== 'POST' && operation.address === address)
  }

  /** Adds a change, which replaces an earlier one of the same entity. */
  add(operation: Operation, values: Values = {}): void {
    const earlier = operation.method === 'POST' ? undefined : this.of(operation.address)
    this.set([...this.changes.filter((one) => one !== earlier), { operation, values }])
  }

  remove(change: PendingChange | undefined): void {
    this.set(this.changes.filter((one) => one !== change))
  }

  clear(): void {
    this.set([])
  }

  private set(changes: readonly PendingChange[]): void {
    this.changes = changes
    this.onChange(changes.length)
  }
}
