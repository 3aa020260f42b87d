import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityTable } from '../../providers/memory/entity-table.js'
import type { MemoryStore } from '../../providers/memory/memory-store.js'
import { storedRows } from '../../providers/memory/stored-rows.js'
import { reasonOf } from '../../util/thrown-error.js'
import { writeFilesAtomically } from './write-files-atomically.js'
import type { EntitySet, EntityType, StructuralType } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { formatDateTime, formatDateTimeOffset } from '../../edm/primitive-types/date-time.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { Row } from '../../evaluation/row.js'
import { typeOfRow } from '../../evaluation/row.js'

/** Changes within this time are saved together. */
const SAVE_DELAY_MS = 100

/** The state of the file of an entity set when the service starts. */
export interface KnownFile {
  /** The {@link contentHash} of the file; undefined if it does not exist. */
  readonly hash: string | undefined
  /** True if the file is rewritten with the first change even if none of its rows changes. */
  readonly mustRewrite: boolean
}

/** Hashes the content of a file. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url')
}

/** Hashes the current content of a file; undefined if it does not exist. */
export function hashOnDisk(path: string): string | undefined {
  try {
    return contentHash(readFileSync(path))
  } catch {
    return undefined
  }
}

/** Saves changed rows of a store to the files of a directory, shortly after every change. */
export class RowPersister {
  /** The hash of the serialized rows at the last read or save; undefined if the file must be rewritten. */
  private readonly written = new Map<EntityTable, string | undefined>()
  private readonly versions = new Map<EntityTable, number>()
  private readonly hashes = new Map<EntityTable, string | undefined>()
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
    for (const table of store.tables) {
      const file = known.get(table.path)
      this.hashes.set(table, file?.hash)
      this.written.set(table, file?.mustRewrite === true ? undefined : contentHash(this.contentOf(table)))
      if (file?.mustRewrite !== true) this.versions.set(table, store.versionOf([table.path]))
    }
    store.undoLog.onCommit = () => {
      this.isPending = true
      this.timer ??= setTimeout(() => void this.save(), SAVE_DELAY_MS)
    }
  }

  /** Returns the hash of the file of an entity set at the last read or save. */
  hashOf(path: string): string | undefined {
    const table = this.store.findTable(path)
    return table === undefined ? undefined : this.hashes.get(table)
  }

  /** Saves changes as soon as no change set is open that could be rolled back. */
  async save(paths?: ReadonlySet<string>): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const { signal } = new AbortController()
    await this.store.undoLog.read({ changeSet: undefined, signal }, () => {
      this.saveNow(paths)
    })
  }

  /** Saves pending changes and stops observing the store. */
  async end(): Promise<void> {
    this.store.undoLog.onCommit = undefined
    if (this.isPending) await this.save()
  }

  private saveNow(paths: ReadonlySet<string> | undefined): void {
    const contents = new Map<string, string>()
    const changed: [EntityTable, string][] = []
    for (const table of this.store.tables) {
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
      this.warn(`Changes could not be saved to ${this.directory}: ${reasonOf(error)}`)
      return
    }
    for (const [table, content] of changed) {
      const hash = contentHash(content)
      this.written.set(table, hash)
      this.versions.set(table, this.store.versionOf([table.path]))
      if (!this.refused.has(table)) this.hashes.set(table, hash)
    }
  }

  private contentOf(table: EntityTable): string {
    return formatRows(storedRows(this.store, table), table.set)
  }

  /** Returns a second file name if another program changed the file, so that neither version is lost. */
  private fileFor(table: EntityTable): string {
    const name = `${table.path}.json`
    const unsavedName = `${name}.unsaved`
    const path = join(this.directory, name)
    if (!this.refused.has(table) && hashOnDisk(path) === this.hashes.get(table)) return name
    if (!this.refused.has(table)) {
      this.refused.add(table)
      this.warn(
        `${path} was changed by another program and is not overwritten. The rows of the service are saved to ${unsavedName}. Restart with the file that you want.`,
      )
    }
    return unsavedName
  }
}

/**
 * Formats rows as an editable JSON document that `parseRows` reads without loss: dates in ISO 8601, Int64 and Decimal as
 * strings, bytes in base64.
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

/** Formats infinities, NaN and negative zero, which `JSON.stringify` loses, as strings. */
function formatNumber(value: number): unknown {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
}
