import createDebug from 'debug'
import type { AuthorizedQuery } from '../data/permissions.js'
import type { EntitySet } from '../edm/edm-model.js'
import { ODataError } from '../errors/odata-error.js'
import type { ChangeOptionName } from '../formats/next-link.js'
import { changeOptionNames } from '../formats/next-link.js'
import { expressionKey } from '../query/expression-key.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { fingerprintOf } from '../util/fingerprint.js'

/** Characters of a token, a limit of URLs in logs and proxies. */
const MAX_TOKEN_LENGTH = 4000
const VERSION = '1'
/** A version, five fingerprints of the request, two of what is visible, and a position. */
const tokenFormat = /^1 (?:[\w-]{12} ){7}[\w~.:-]+$/

/** The options for changes that a request has, by name. */
export type ChangeOptions = Partial<Readonly<Record<ChangeOptionName, string>>>

const none: ChangeOptions = {}

const debug = createDebug('odata-v2:error')
/** The sets that {@link reportFilter} has reported. */
const reported = new WeakSet<EntitySet>()

/** Returns the options for changes of a request. @throws ODataError BadRequest if one is repeated */
export function changeOptionsOf({ custom }: QueryOptions): ChangeOptions {
  if (!custom.some(([name]) => name.startsWith('!delta'))) return none
  const options: Partial<Record<ChangeOptionName, string>> = {}
  for (const [name, value] of custom) {
    const known = changeOptionNames.find((one) => one === name)
    if (known === undefined) continue
    if (options[known] !== undefined) throw invalid(`${known} is specified twice.`)
    options[known] = unquotedToken(value)
  }
  return options
}

/** Tests whether a request has a token of a service that tracked the changes of an entity set. */
export function hasToken({ custom }: QueryOptions): boolean {
  return custom.some(
    ([name, value]) =>
      (name === '!deltatoken' || name === '!deltastart') && partsOf(unquotedToken(value)) !== undefined,
  )
}

/** Tests whether a request has an option for changes. */
export function hasChangeOption({ custom }: QueryOptions): boolean {
  return custom.some(([name]) => (changeOptionNames as readonly string[]).includes(name))
}

/**
 * The tokens of delta links of one query for one caller. A token needs no secret: the conditions of the request decide
 * which entities it shows, and the provider authenticates the position.
 */
export class ChangeTokens {
  /** Fingerprints that a token must have: of the set and the options of the client, by the name of the part. */
  private readonly requested: readonly (readonly [part: string, fingerprint: string])[]
  /** Fingerprints of everything that decides which entities, and which of their properties, the caller sees. */
  private readonly visible: readonly string[]
  private readonly set: EntitySet

  constructor({ conditions, query }: AuthorizedQuery) {
    const { projection, received } = query
    const { entityType, set } = projection
    this.set = set
    const custom = (name: string): string => received.custom.find(([one]) => one === name)?.[1] ?? ''
    this.requested = [
      ['entity set', shortened(set.path)],
      ['$filter', shortened(received.system.get('$filter') ?? '')],
      ['$select', shortened(received.system.get('$select') ?? '')],
      ['search', shortened(custom('search'))],
      ['search-focus', shortened(custom('search-focus'))],
    ]
    const types = [entityType, ...entityType.derivedTypes]
    const properties = types.flatMap((one) => one.properties.map(({ name, type }) => [name, nameOf(type)]))
    this.visible = [
      shortened(conditions.restrictions.map(expressionKey).join('\n')),
      shortened(JSON.stringify(properties)),
    ]
  }

  /** Returns the token of a position; undefined if it would be too long. */
  create(position: string): string | undefined {
    const parts = [VERSION, ...this.requested.map(([, one]) => one), ...this.visible, position]
    const token = Buffer.from(parts.join(' ')).toString('base64url')
    return token.length > MAX_TOKEN_LENGTH ? undefined : token
  }

  /** Checks the tokens of a request. @throws ODataError like `positionIn` */
  check(options: ChangeOptions): void {
    for (const option of changeOptionNames) {
      const token = options[option]
      if (token !== undefined) this.positionIn(token, option)
    }
  }

  /**
   * Returns the position in a token.
   *
   * @throws ODataError BadRequest for a malformed token, and for one of another query; Gone if the caller has other rights
   * than when the token was created, or the model has changed
   */
  positionIn(token: string, option: ChangeOptionName): string {
    const parts = partsOf(token)
    const position = parts?.at(-1)
    if (parts === undefined || position === undefined)
      throw invalid(`${option} is malformed. Use the link as the service returned it.`)
    const other = this.requested.find(([, fingerprint], index) => parts[index] !== fingerprint)
    if (other !== undefined)
      throw invalid(`${option} belongs to a request with another ${other[0]}. Load the set again.`)
    const [filter, properties] = parts.slice(this.requested.length)
    if (filter !== this.visible[0]) reportFilter(this.set)
    else if (properties === this.visible[1]) return position
    throw new ODataError('Gone')
  }
}

/** Prints, once for each set, why a delta link is gone: `authorize` can return another filter for every request. */
function reportFilter(set: EntitySet): void {
  if (!debug.enabled || reported.has(set)) return
  reported.add(set)
  debug(
    "a delta link of '%s' gets 410, because authorize returns another filter than when the link was created. A filter with the present time makes every delta link 410.",
    set.path,
  )
}

/** Returns the parts of a token: fingerprints, and the position; undefined if it does not have the form of tokens. */
function partsOf(token: string): readonly string[] | undefined {
  if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return undefined
  const text = Buffer.from(token, 'base64url').toString('latin1')
  return tokenFormat.test(text) ? text.split(' ').slice(1) : undefined
}

/** Removes the quotes of a token. */
export function unquotedToken(value: string): string {
  return value.replace(/^'(.*)'$/s, '$1')
}

function nameOf(type: string | { readonly qualifiedName: string }): string {
  return typeof type === 'string' ? type : type.qualifiedName
}

function shortened(text: string): string {
  return fingerprintOf([text]).slice(0, 12)
}

function invalid(message: string): ODataError {
  return new ODataError('BadRequest', { message })
}
