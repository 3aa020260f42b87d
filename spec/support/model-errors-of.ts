import { ModelError } from '../../lib/edm/build/model-error.js'

/**
 * Returns the violations that an action reports; none when it does not throw. Anything but a ModelError fails the spec.
 */
export function modelErrorsOf(action: () => unknown): readonly string[] {
  try {
    action()
  } catch (error) {
    if (error instanceof ModelError) return error.errors
    throw error
  }
  return []
}
