import type { ColumnRights } from '../data/column-rights.js'
import type { EntitySet } from '../edm/edm-model.js'
import type { Message, MessageDetail } from '../provider/messages.js'
import { addressedSource } from '../query/request-target.js'
import type { RequestSession } from './request-session.js'

/**
 * Returns messages of the application without targets that name hidden columns; without any target for a request whose
 * entity set is not known.
 */
export function visibleMessages(
  messages: readonly Message[],
  { binding, columns }: RequestSession,
): readonly Message[] {
  if (columns === undefined || columns.hidden.size === 0) return messages
  const { target } = binding.plan
  const set = addressedSource(target)?.set
  if (set === undefined && target.kind !== 'ServiceDocument') return messages
  const visible = <M extends MessageDetail>(message: M): M =>
    message.target !== undefined && (set === undefined || namesHidden(message.target, set, columns))
      ? { ...message, target: undefined }
      : message
  return messages.map((message) => {
    const { details } = message
    return details === undefined ? visible(message) : { ...visible(message), details: details.map(visible) }
  })
}

/** @param target the path of a property, such as `Lines(1)/Quantity` */
function namesHidden(target: string, start: EntitySet, columns: ColumnRights): boolean {
  let set = start
  let prefix = ''
  for (const name of target.replace(/\([^)]*\)/g, '').split('/')) {
    if (columns.isHidden(set, prefix + name)) return true
    const types = [set.entityType, ...set.entityType.derivedTypes]
    const navigation = types.map((type) => type.navigationProperty(name)).find((one) => one !== undefined)
    prefix = navigation === undefined ? `${prefix}${name}/` : ''
    if (navigation !== undefined) set = set.targetOf(navigation) ?? set
  }
  return false
}
