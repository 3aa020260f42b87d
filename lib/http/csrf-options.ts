import { checkFunction, checkNames, invalid } from '../errors/check-option.js'
import type { CsrfOptions } from './csrf-token.js'

/**
 * Validates the option `csrf`.
 *
 * @returns undefined for a service without CSRF tokens
 * @throws ConfigurationError for an invalid option
 */
export function csrfOf(csrf: boolean | CsrfOptions | undefined): CsrfOptions | undefined {
  if (csrf === undefined || csrf === false) return undefined
  if (csrf === true) return {}
  if (typeof csrf !== 'object' || csrf === null) {
    throw invalid('csrf must be true, false, or an object such as { secret: process.env.CSRF_SECRET }')
  }
  checkNames(csrf, ['secret', 'session'], 'an option', 'csrf.')
  checkFunction('csrf.session', csrf.session)
  const secret: unknown = csrf.secret
  if ('secret' in csrf && (typeof secret !== 'string' || secret.length < 16)) {
    throw invalid('csrf.secret must be a string of at least 16 characters, the same in every process')
  }
  return csrf
}
