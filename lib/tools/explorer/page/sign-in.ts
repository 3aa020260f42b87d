import { alert } from './components.js'
import { ask, dialogField } from './dialog.js'

/**
 * Asks for a user and a password, or for a token, as the service requires.
 *
 * @param challenge a `WWW-Authenticate` header: `Basic realm="Shop"`
 * @param isRepeated true if the service has rejected what the user entered before
 * @returns the value of `Authorization`; undefined if the user cancels, or for other schemes
 * @spec RFC 7617, RFC 6750
 */
export async function signIn(challenge: string, isRepeated: boolean): Promise<string | undefined> {
  const problem = isRepeated ? alert('The service did not accept this. Try again.') : undefined
  if (/(?:^|,\s*)bearer\b/i.test(challenge)) {
    const token = dialogField('token', 'Token', 'password')
    const values = await ask('Sign in', 'Sign in', problem, token)
    return values === undefined ? undefined : `Bearer ${values.get('token')?.trim() ?? ''}`
  }
  if (!/(?:^|,\s*)basic\b/i.test(challenge)) return undefined
  const fields = [
    dialogField('user', 'User', 'text', 'username'),
    dialogField('password', 'Password', 'password', 'current-password'),
  ]
  const values = await ask('Sign in', 'Sign in', problem, ...fields)
  if (values === undefined) return undefined
  const bytes = new TextEncoder().encode(`${values.get('user') ?? ''}:${values.get('password') ?? ''}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}
