import type { DirectoryOpener, OpenDirectory } from './open-directory.js'
import { unlessAbsent } from './open-directory.js'

/** So many directories are open at a time, however deep the path is. */
const longestChain = 32

interface Link {
  readonly prefix: string
  readonly directory: OpenDirectory
}

/**
 * The open directories along one path. Going on to a directory nearby opens only what the two paths do not share.
 *
 * It is made for work that is done in one go: whoever makes one closes it before anything else gets a turn.
 */
export class DirectoryChain {
  private readonly links: Link[] = []

  /** @param exact whether names come from clients, and may not be those that the directories have */
  constructor(
    private readonly opener: DirectoryOpener,
    private readonly exact = false,
  ) {}

  /**
   * Opens a directory. It stays open until another one is opened, or the chain is closed.
   *
   * @param prefix path of the directory with `/` at its end
   * @returns undefined when there is none that the service may show
   */
  open(prefix: string): OpenDirectory | undefined {
    let last = this.shared(prefix)
    while (last.prefix.length < prefix.length) {
      const start = last.prefix.length
      const end = prefix.indexOf('/', start)
      const directory = this.child(last.directory, prefix.slice(start, end))
      if (directory === undefined) return undefined
      if (this.links.length === longestChain) this.links.pop()?.directory.close()
      last = { prefix: prefix.slice(0, end + 1), directory }
      this.links.push(last)
    }
    return last.directory
  }

  close(): void {
    for (let link = this.links.pop(); link !== undefined; link = this.links.pop()) link.directory.close()
  }

  private child(parent: OpenDirectory, name: string): OpenDirectory | undefined {
    const directory = this.opener.openChild(parent, name)
    if (directory === undefined || !this.exact) return directory
    let isExact = false
    try {
      // Where there is no handle, it may be gone by now.
      isExact = unlessAbsent(() => parent.spells(name, directory.information())) ?? false
    } finally {
      if (!isExact) directory.close()
    }
    return isExact ? directory : undefined
  }

  /** Closes what does not lie on the path. */
  private shared(prefix: string): Link {
    for (let last = this.links.at(-1); last !== undefined; last = this.links.at(-1)) {
      if (prefix.startsWith(last.prefix)) return last
      this.links.pop()
      last.directory.close()
    }
    const root = { prefix: '/', directory: this.opener.openRoot() }
    this.links.push(root)
    return root
  }
}
