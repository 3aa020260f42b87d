/**
 * Does work that reads several times. It is over when it returns: what it has asked for and is not there yet is read
 * as if it had been asked for alone.
 */
export type ReadTogether = <T>(work: () => T) => T

/** By the provider itself: one that an application has made of it may do between two reads whatever it likes. */
const known = new WeakMap<object, ReadTogether>()

/** Says that a provider does several reads faster together. Nothing but reads of its own may come in between. */
export function readsTogether(provider: object, read: ReadTogether): void {
  known.set(provider, read)
}

/** Undefined when it is all the same to the provider. */
export function togetherReaderOf(provider: object): ReadTogether | undefined {
  return known.get(provider)
}
