import { ODataError } from '../errors/odata-error.js'
import { isSameHash, keyedHash } from '../util/keyed-hash.js'

/** A log of the changes of an entity set. */
export interface SealedLog {
  /** Differs after the log was replaced. Contains no dot. */
  readonly epoch: string
  /** The key of the authentication code, unknown to clients. */
  readonly secret: string
  /** The path of the entity set. */
  readonly set: string
}

const CODE_LENGTH = 16

/** Returns a position for clients. Its authentication code keeps them from reading changes before their first load. */
export function sealedPosition(log: SealedLog, place: string): string {
  return `${log.epoch}.${place}~${codeOf(log, place)}`
}

/**
 * Returns the place in a position of {@link sealedPosition}.
 *
 * @throws ODataError Gone for a position of another epoch; BadRequest for one that was not returned for this set
 */
export function openedPosition(log: SealedLog, position: string): string {
  const { epoch } = log
  if (position.split('.', 1)[0] !== epoch) throw new ODataError('Gone')
  const [place = '', code = ''] = position.slice(epoch.length + 1).split('~')
  if (isSameHash(code, codeOf(log, place))) return place
  throw new ODataError('BadRequest', {
    message: 'The position in the token is malformed. Use the link as the service returned it.',
  })
}

function codeOf({ epoch, secret, set }: SealedLog, place: string): string {
  return keyedHash(secret, `${epoch}.${place}\n${set}`, CODE_LENGTH)
}
