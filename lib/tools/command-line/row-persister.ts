import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityTable } from '../../providers/memory/entity-table.js'
import type { MemoryStore } from '../../providers/memory/memory-store.js'
import { storedRows } from '../../providers/memory/stored-rows.js'
import { reasonOf } from './errors.js'
import { writeFilesAtomically } from './write-files-atomically.js'
import type { EntitySet, EntityType, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { formatDateTime } from '../../edm/primitive-types/date-time.js'
import { formatDateTimeOffset } from '../../edm/primitive-types/date-time-offset.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'

/** How long is waited for more changes before they are written, in milliseconds. */
const delay = 100

/** What is known of the file of an entity set when a service starts. */
export interface KnownFile {
  /** What {@link contentHash} said when it was read; undefined when there was none. */
  readonly tag: string | undefined
  /** Whether it is to be written with the first change though none of its rows changes. */
  readonly mustRewrite: boolean
}

/** Tells contents of files from each other. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}

/** The same for what is on the disk now; undefined when there is no file. */
export function hashOnDisk(path: string): string | undefined {
  try {
    return contentHash(readFileSync(path))
  } catch {
    return undefined
  }
}

/** Keeps the rows of a store in the files of a directory: those that have changed, soon after every change. */
export class RowPersister {
  /** What would have been written of each set when it was read or written last; undefined when that is outdated. */
  private readonly written = new Map<EntityTable, string | undefined>()
  private readonly versions = new Map<EntityTable, number>()
  private readonly tags = new Map<EntityTable, string | undefined>()
  private readonly refused = new Set<EntityTable>()
  private isPending = false
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly directory: string,
    private readonly store: MemoryStore,
    private readonly warn: (line: string) => void,
    /** By the path of the entity set. */
    known: ReadonlyMap<string, KnownFile>,
  ) {
    for (const table of store.tables.values()) {
      const file = known.get(table.path)
      this.tags.set(table, file?.tag)
      this.written.set(table, file?.mustRewrite === true ? undefined : contentHash(this.contentOf(table)))
      if (file?.mustRewrite !== true) this.versions.set(table, store.versionOf([table.path]))
    }
    store.journal.onChanged = () => {
      this.isPending = true
      this.timer ??= setTimeout(() => void this.save(), delay)
    }
  }

  /** What the file of an entity set was when it was read or written last. */
  hashOf(path: string): string | undefined {
    const table = this.store.tables.get(path)
    return table === undefined ? undefined : this.tags.get(table)
  }

  /** Writes what has changed since it was written last, when no change set is open that may be taken back. */
  async save(paths?: ReadonlySet<string>): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const { signal } = new AbortController()
    await this.store.journal.read({ changeSet: undefined, signal }, () => {
      this.saveNow(paths)
    })
  }

  /** Writes what is left and follows the store no more. */
  async end(): Promise<void> {
    this.store.journal.onChanged = undefined
    if (this.isPending) await this.save()
  }

  private saveNow(paths: ReadonlySet<string> | undefined): void {
    const contents = new Map<string, string>()
    const changed: [EntityTable, string][] = []
    for (const table of this.store.tables.values()) {
      const version = this.store.versionOf([table.path])
      if (paths?.has(table.path) === false || version === this.versions.get(table)) continue
      const content = this.contentOf(table)
      if (contentHash(content) === this.written.get(table)) continue
      changed.push([table, content])
      contents.set(this.fileFor(table), content)
    }
    try {
      if (contents.size > 0) writeFilesAtomically(this.directory, contents)
      this.isPending = false
    } catch (error) {
      this.warn(`The changes could not be written to ${this.directory}: ${reasonOf(error)}`)
      return
    }
    for (const [table, content] of changed) {
      const tag = contentHash(content)
      this.written.set(table, tag)
      this.versions.set(table, this.store.versionOf([table.path]))
      if (!this.refused.has(table)) this.tags.set(table, tag)
    }
  }

  private contentOf(table: EntityTable): string {
    return formatRows(storedRows(this.store, table), table.set)
  }

  /** What somebody else has written is not written over: there is a second file then, and nothing is lost. */
  private fileFor(table: EntityTable): string {
    const name = `${table.path}.json`
    const beside = `${name}.unsaved`
    const path = join(this.directory, name)
    if (!this.refused.has(table) && hashOnDisk(path) === this.tags.get(table)) return name
    if (!this.refused.has(table)) {
      this.refused.add(table)
      this.warn(
        `${path} has been changed by somebody else and is not written over: what the service holds is written to ${beside}. Start again with the one that you want.`,
      )
    }
    return beside
  }
}

/**
 * Rows as a JSON document that people can read and change, and that `parseRows` reads again without any
 * difference: points in time in ISO 8601, Int64 and Decimal as text, bytes in base64.
 */
export function formatRows(rows: readonly Row[], { entityType }: EntitySet): string {
  return `${JSON.stringify(
    rows.map((row) => formatRow(row, typeOfRow(row, entityType))),
    undefined,
    2,
  )}\n`
}

function formatRow(row: Row, type: EntityType): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, formatMember(name, value, type)]),
  )
}

function formatMember(name: string, value: unknown, type: EntityType): unknown {
  if (name === '$type') return value
  if (name === '$media') {
    const { contentType, bytes } = value as { readonly contentType: string; readonly bytes: Uint8Array }
    return { contentType, bytes: Buffer.from(bytes).toString('base64') }
  }
  const target = type.navigationProperty(name)?.targetType
  if (target === undefined) return formatProperty(name, value, type)
  return Array.isArray(value) ? value.map((key) => formatKey(key, target)) : formatKey(value, target)
}

function formatKey(key: unknown, type: EntityType): unknown {
  return Object.fromEntries(
    Object.entries(key as Row).map(([name, value]) => [name, formatProperty(name, value, type)]),
  )
}

function formatProperty(name: string, value: unknown, owner: StructuralType): unknown {
  const type = owner.property(name)?.type
  if (type === undefined || value === null || value === undefined) return value ?? null
  if (isPrimitive(type)) return formatValue(type, value)
  return Object.fromEntries(
    type.properties.map((one) => [one.name, formatProperty(one.name, (value as Row)[one.name], type)]),
  )
}

function formatValue(type: PrimitiveTypeName, value: unknown): unknown {
  switch (type) {
    case 'Edm.DateTime':
      return formatDateTime(value)
    case 'Edm.DateTimeOffset':
      return formatDateTimeOffset(value)
    case 'Edm.Binary':
      return Buffer.from(value as Uint8Array).toString('base64')
    case 'Edm.Single':
    case 'Edm.Double':
      return formatNumber(value as number)
    case 'Edm.Int64':
    case 'Edm.Decimal':
      return String(value)
    default:
      return value
  }
}

/** JSON has no infinity, and JavaScript writes no negative zero. */
function formatNumber(value: number): unknown {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}
