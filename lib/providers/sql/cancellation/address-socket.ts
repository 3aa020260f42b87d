import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A socket that connects to the address of another one: the host of a driver may have several addresses. */
export class AddressSocket extends Socket {
  private constructor(
    private readonly host: string,
    private readonly port: number,
  ) {
    super()
    // Cancelling statements does not keep the process alive.
    this.unref()
  }

  /** @returns undefined if the stream is not connected to an address */
  static to(stream: Duplex): AddressSocket | undefined {
    const { remoteAddress, remotePort } = stream as Partial<Socket>
    return remoteAddress === undefined || remotePort === undefined
      ? undefined
      : new AddressSocket(remoteAddress, remotePort)
  }

  /** Ignores the host and port that the driver passes. */
  override connect(): this {
    return super.connect(this.port, this.host)
  }
}
