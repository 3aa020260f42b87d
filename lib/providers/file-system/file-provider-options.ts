import mime from 'mime'
import type { EdmModel } from '../../edm/edm-model.js'
import { didYouMean } from '../../errors/suggestions.js'
import { isRecord } from '../../util/is-record.js'

/**
 * Options of {@link fileProvider}.
 *
 * @example
 * const options: FileProviderOptions = { contentTypes: { md: 'text/markdown' }, writable: true }
 * app.use('/files', odataV2(fileModel, fileProvider('./public', options)))
 */
export interface FileProviderOptions {
  /**
   * Media types by extension, with or without its `.`. They override the well-known media types.
   * Default: the well-known media types.
   *
   * @example fileProvider('./public', { contentTypes: { md: 'text/markdown; charset=utf-8' } })
   */
  readonly contentTypes?: Readonly<Record<string, string>> | undefined
  /** If true, `lastAccess` and `lastModified` of directories have values instead of null. Default: false. */
  readonly directoryTimes?: boolean | undefined
  /**
   * A variant of `fileModel`, such as one whose `size` is Edm.Int64, which is exact for files of more than 2 GiB.
   * Default: `fileModel`.
   *
   * @example fileProvider('./public', { model })
   */
  readonly model?: EdmModel | undefined
  /**
   * If true, clients can create, replace and delete files and directories. Requires an operating system with
   * `/proc/self/fd`, such as Linux. Default: false.
   */
  readonly writable?: boolean | undefined
}

/** The description of the accepted values of each option, for invalid values. */
const expectations: Readonly<Record<keyof FileProviderOptions, (value: unknown) => string | undefined>> = {
  contentTypes: (value) =>
    isRecord(value) ? undefined : `an object of media types by extension, such as { md: 'text/markdown' }`,
  directoryTimes: expectBoolean,
  model: (value) =>
    isRecord(value) && 'defaultContainer' in value && sizeTypes.includes(sizeType(value as never))
      ? undefined
      : "a model with the entity set 'Files', whose 'size' is Edm.Int32 or Edm.Int64",
  writable: expectBoolean,
}

const sizeTypes: readonly unknown[] = ['Edm.Int32', 'Edm.Int64']

/** Returns the type of sizes of a model. */
export function sizeType({ defaultContainer }: EdmModel): unknown {
  return defaultContainer.entitySet('Files')?.entityType.property('size')?.type
}

function expectBoolean(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'true or false'
}

/** @throws TypeError for unknown options and invalid values */
export function checkFileProviderOptions(options: unknown): asserts options is FileProviderOptions {
  if (!isRecord(options)) {
    throw new TypeError(`fileProvider: options must be an object, such as { directoryTimes: true }.`)
  }
  const known = Object.keys(expectations)
  for (const [name, value] of Object.entries(options)) {
    if (!isOptionName(name)) {
      throw new TypeError(
        `fileProvider: unknown option '${name}'.${didYouMean(name, known)} Known options: ${known.join(', ')}.`,
      )
    }
    const expected = value === undefined ? undefined : expectations[name](value)
    if (expected !== undefined) throw new TypeError(`fileProvider: ${name} must be ${expected}.`)
  }
}

function isOptionName(name: string): name is keyof FileProviderOptions {
  return Object.hasOwn(expectations, name)
}

/** Returns the content type of a file by its name. */
export type ContentTypeOf = (name: string) => string

const DEFAULT_CONTENT_TYPE = 'application/octet-stream'

const token = "[\\w!#$%&'*+.^`|~-]+"
const mediaType = new RegExp(
  `^${token}/${token}(?: *; *${token}=(?:${token}|"[^"\\\\\\x00-\\x1f\\x7f-\\uffff]*"))*$`,
)

/**
 * Creates a function that finds content types by extension: the part of a name after the last `.`, or after an earlier
 * one if it is mapped, as `tar.gz`.
 *
 * @param own media types by extension, with or without its `.`, which override the well-known ones
 * @throws TypeError for an invalid extension or media type
 */
export function contentTypes(own: Readonly<Record<string, string>> = {}): ContentTypeOf {
  const mapped = new Map(Object.entries(own).map(([extension, type]) => checkedType(extension, type)))
  return (name) => {
    if (mapped.size > 0) {
      for (let dot = name.indexOf('.', 1); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        const type = mapped.get(name.slice(dot + 1).toLowerCase())
        if (type !== undefined) return type
      }
    }
    const dot = name.lastIndexOf('.')
    return (dot > 0 ? mime.getType(name.slice(dot + 1)) : null) ?? DEFAULT_CONTENT_TYPE
  }
}

function checkedType(extension: string, type: unknown): [extension: string, type: string] {
  const bare = extension.replace(/^\./, '').toLowerCase()
  if (bare === '' || /[/\\]/.test(bare)) {
    throw new TypeError(
      `fileProvider: '${extension}' in contentTypes is not an extension. Expected one such as 'md' or '.md'.`,
    )
  }
  if (typeof type !== 'string' || !mediaType.test(type)) {
    const value =
      typeof type === 'string' ? `'${type}'` : `a value of type ${type === null ? 'null' : typeof type}`
    throw new TypeError(
      `fileProvider: contentTypes maps '${extension}' to ${value}, which is not a media type. ` +
        `Expected one such as 'text/markdown' or 'text/plain; charset=utf-8'.`,
    )
  }
  return [bare, type]
}
