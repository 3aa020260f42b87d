import mime from 'mime'

/** Tells the content type of a file from its name. */
export type ContentTypeOf = (name: string) => string

/** What nothing is known of. */
const unknownType = 'application/octet-stream'

const token = "[\\w!#$%&'*+.^`|~-]+"
const mediaType = new RegExp(
  `^${token}/${token}(?: *; *${token}=(?:${token}|"[^"\\\\\\x00-\\x1f\\x7f-\\uffff]*"))*$`,
)

/**
 * Tells content types by the extension of names, which is what follows the last `.`, or an earlier one when that is
 * mapped: `tar.gz`.
 *
 * @param own media types by extension, with or without its `.`; they go before the common ones
 * @throws TypeError when it maps something that is no extension, or to something that is no media type
 */
export function contentTypes(own: Readonly<Record<string, string>> = {}): ContentTypeOf {
  const mapped = new Map(Object.entries(own).map(([extension, type]) => checked(extension, type)))
  return (name) => {
    if (mapped.size > 0) {
      for (let dot = name.indexOf('.', 1); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        const type = mapped.get(name.slice(dot + 1).toLowerCase())
        if (type !== undefined) return type
      }
    }
    const dot = name.lastIndexOf('.')
    return (dot > 0 ? mime.getType(name.slice(dot + 1)) : null) ?? unknownType
  }
}

function checked(extension: string, type: unknown): [extension: string, type: string] {
  const bare = extension.replace(/^\./, '').toLowerCase()
  if (bare === '' || /[/\\]/.test(bare)) {
    throw new TypeError(
      `fileProvider: contentTypes maps '${extension}', which is no extension. Write one such as 'md' or '.md'.`,
    )
  }
  if (typeof type !== 'string' || !mediaType.test(type)) {
    throw new TypeError(
      `fileProvider: contentTypes maps '${extension}' to ${describe(type)}, which is no media type. ` +
        `Write one such as 'text/markdown' or 'text/plain; charset=utf-8'.`,
    )
  }
  return [bare, type]
}

function describe(value: unknown): string {
  return typeof value === 'string'
    ? `'${value}'`
    : `a value of type ${value === null ? 'null' : typeof value}`
}
