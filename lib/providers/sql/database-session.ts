import type { ProviderCall } from '../../provider/provider-call.js'
import { required } from '../../util/required.js'
import type { SqlDialect } from './dialect.js'
import type { Sql } from './sql-text.js'

/**
 * The role and the settings of the statements of a caller.
 *
 * @example
 * const session = (user: { id: string; tenant: string }): DatabaseSession => ({
 *   role: 'shop_user',
 *   settings: { 'app.user': user.id, 'app.tenant': user.tenant },
 * })
 */
export interface DatabaseSession {
  /** The name of a role that the user of the connection may set. Default: the user of the connection. */
  readonly role?: string | undefined
  /** Settings by name, such as `app.tenant`. Policies read them with `current_setting`. Default: none. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/** Returns the statement that makes the settings of a transaction. @param isReadOnly whether it must not change rows */
export type SessionStatement = (call: Pick<ProviderCall, 'context'>, isReadOnly: boolean) => Sql

/** Settings of the server have no dot: callers must not change them. */
const SETTING_NAME = /^[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+$/
/** PostgreSQL shortens longer names, also to those of other roles. */
const MAX_ROLE_BYTES = 63
const memberNames = ['role', 'settings']

interface SessionOptions {
  readonly changeTracking?: unknown
  readonly session?: ((context: never) => DatabaseSession) | undefined
  readonly snapshotVersion?: boolean | undefined
}

/**
 * Returns the statement of the option `session`; undefined without.
 *
 * @throws TypeError for a database without roles, and for options whose results do not depend on the caller
 */
export function sessionStatementOf(
  { changeTracking, session, snapshotVersion }: SessionOptions,
  dialect: Pick<SqlDialect, 'name' | 'sessionSettings'>,
): SessionStatement | undefined {
  if (session === undefined) return undefined
  if (typeof session !== 'function')
    throw new TypeError('sqlProvider: session must be a function that returns { role, settings }.')
  if (dialect.sessionSettings === undefined)
    throw new TypeError(
      `sqlProvider: 'session' requires PostgreSQL, not ${dialect.name}. Remove the option, and use 'authorize'.`,
    )
  if (changeTracking !== undefined && changeTracking !== false)
    throw new TypeError(
      "sqlProvider: 'session' cannot be used with 'changeTracking': policies do not apply to the log of changes. Remove one of them, or use 'authorize'.",
    )
  if (snapshotVersion === true)
    throw new TypeError(
      "sqlProvider: 'session' cannot be used with 'snapshotVersion': a cached page has the rows of one caller. Remove one of them.",
    )
  const settingsOf = session as (context: unknown) => unknown
  return (call, isReadOnly) => {
    // A call without its context would have the rights of the connection.
    if (!('context' in call))
      throw new TypeError('With session, pass the call itself, not a copy of its changeSet.')
    const { role, settings } = checkedSession(settingsOf(call.context))
    const roleSetting = role === undefined ? [] : [['role', role] as const]
    return required(
      dialect.sessionSettings?.([...Object.entries(settings ?? {}), ...roleSetting], isReadOnly),
    )
  }
}

/** @throws TypeError for anything else than a role and settings that are safe to set */
function checkedSession(session: unknown): DatabaseSession {
  if (typeof session !== 'object' || session === null || session instanceof Promise)
    throw new TypeError('session must return an object { role, settings }, and not a promise.')
  for (const name of Object.keys(session)) {
    if (!memberNames.includes(name))
      throw new TypeError(`session: '${name}' is not a member. Return role and settings.`)
  }
  const { role, settings } = session as DatabaseSession
  if (role !== undefined) checkRole(role)
  for (const [name, value] of Object.entries(settings ?? {})) {
    if (!SETTING_NAME.test(name))
      throw new TypeError(
        `session: '${name}' is not the name of a setting. Use lower-case letters, digits, '_' and a dot, such as 'app.tenant'.`,
      )
    if (typeof value !== 'string' || value.includes('\0'))
      throw new TypeError(`session: the setting '${name}' must be a string without the character NUL.`)
  }
  return { role, settings }
}

/** @throws TypeError for values that would set another role, or none */
function checkRole(role: unknown): void {
  // 'none' resets the role to that of the connection.
  const isRole = typeof role === 'string' && role !== '' && role !== 'none' && !role.includes('\0')
  if (!isRole || Buffer.byteLength(role) > MAX_ROLE_BYTES)
    throw new TypeError(
      `session: the role must be the name of a role, with 1 to ${String(MAX_ROLE_BYTES)} bytes, and not 'none'.`,
    )
}
