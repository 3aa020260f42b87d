import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/**
 * Whether nobody can keep what is written after it was sent: there is no middleware around the response, and no stand-in
 * for its connection. Only then may the memory of what was sent be used again.
 */
export function isSentUnseen(res: ServerResponse): boolean {
  const { socket } = res
  return (
    res.write === ServerResponse.prototype.write &&
    socket instanceof Socket &&
    socket.write === Socket.prototype.write
  )
}
