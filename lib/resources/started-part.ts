import type { BatchResponse } from '../batch/serialize-batch.js'
import { closeBody } from '../http/odata-response.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'

/** The position of a part that has started together with others. */
export class PartTurn {
  private isNext = false
  private proceed: (() => void) | undefined

  /** Called when the part is to be sent, or discarded. */
  begin(): void {
    this.isNext = true
    this.proceed?.()
  }

  /** Waits until the part is next; undefined if it is. */
  wait(): Promise<void> | undefined {
    if (this.isNext) return undefined
    return new Promise((resolve) => {
      this.proceed = resolve
    })
  }
}

/** A part of a batch that has started before its turn. */
export interface StartedPart {
  response: PromiseOrValue<BatchResponse | undefined>
  readonly turn?: PartTurn
}

/** Closes the body of a response that is not sent. */
export function discardPart({ response, turn }: StartedPart): void {
  turn?.begin()
  const close = async (): Promise<void> => {
    const unsent = await response
    if (unsent?.kind === 'Response') await closeBody(unsent.response)
  }
  close().catch(() => undefined)
}
