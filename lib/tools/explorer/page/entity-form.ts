import { resourceHash } from './address.js'
import type { App, View } from './app.js'
import { alert, button, link, note, table, title as heading } from './components.js'
import type { Child } from './dom.js'
import { el, fill } from './dom.js'
import type { EntitySet, Property, StructuralType } from './model.js'
import { resourceOf } from './model.js'
import type { Entity } from './payload.js'
import { errorOf, isEntity, metadataOf, parseDocument } from './payload.js'
import { referencesOf } from './references.js'
import type { Exchange } from './service-client.js'
import { uploadForm } from './upload.js'
import type { ValueField } from './value-field.js'
import { valueField } from './value-field.js'
import { valueView } from './value-view.js'

/** Returns a form for a new entity of a collection. */
export function newEntityView(app: App, path: string): View {
  const { type, set } = resourceOf(app.model, path)
  if (type === undefined) return failed('There is no such collection.')
  const title = `New ${type.name}`
  const done = (exchange: Exchange): void => {
    const created = parseDocument(exchange.text)
    const address = isEntity(created) ? app.client.relative(metadataOf(created).uri) : undefined
    app.navigate(resourceHash(address ?? path))
  }
  // The service reads the properties of a new media link entry from its file.
  if (type.isMedia) return { title, content: [heading(title), uploadForm(app, 'POST', path, done)] }
  const references = referencesOf(app.model, type, set)
  const fields = type.properties
    .filter(isEditable('sap:creatable'))
    .map((one) => valueField(app, one, undefined, false, references.get(one.name)))
  const save = async (values: Values): Promise<Exchange> => app.client.send(path, jsonRequest('POST', values))
  const saveLater = (values: Values): Promise<boolean> => {
    app.changes.add({ address: path, ...jsonRequest('POST', values) }, values)
    return Promise.resolve(true)
  }
  return {
    title,
    content: [
      heading(title),
      formOf(app, fields, 'Create', { save, saveLater, done, back: resourceHash(path) }),
    ],
  }
}

/** Returns a form for the properties of an entity. Only changed values are sent. */
export async function editEntityView(app: App, path: string): Promise<View> {
  const { type, set } = resourceOf(app.model, path)
  const exchange = await app.client.send(path)
  const error = errorOf(exchange)
  const entity = error === undefined ? parseDocument(exchange.text) : undefined
  if (type === undefined || !isEntity(entity)) return failed(error?.message ?? 'There is no such entity.')
  const title = `Edit ${path}`
  const content = el('div', {}, ...editContent(app, path, { type, set }, entity))
  return { title, content: [heading(title), content] }
}

function editContent(
  app: App,
  path: string,
  { type, set }: { readonly type: StructuralType; readonly set: EntitySet | undefined },
  entity: Entity,
): readonly Child[] {
  const references = referencesOf(app.model, type, set)
  const properties = type.properties.filter(({ name }) => name in entity)
  const pending = app.changes.of(path)
  const current: Entity = { ...entity, ...pending?.values }
  const fields = properties.map((one) => {
    const isFixed = one.isKey || !isEditable('sap:updatable')(one)
    return valueField(app, one, current[one.name], isFixed, references.get(one.name))
  })
  const { etag } = metadataOf(entity)
  let condition = typeof etag === 'string' ? { 'If-Match': etag } : undefined
  const initial = valuesOf(properties.map((one) => valueField(app, one, entity[one.name], true)))
  const conflicts = el('div')

  /** Returns the values that differ from the stored ones. */
  async function changesIn(values: Values): Promise<Values | undefined> {
    const stored = await initial
    const changes = Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name]),
    )
    return changes.length === 0 ? undefined : Object.fromEntries(changes)
  }

  async function save(values: Values): Promise<Exchange | undefined> {
    const changes = await changesIn(values)
    if (changes === undefined) return undefined
    const exchange = await app.client.send(path, jsonRequest('MERGE', changes, condition))
    if (exchange.status === 412) await showConflicts(changes)
    if (exchange.status < 400) app.changes.remove(pending)
    return exchange
  }

  async function saveLater(values: Values): Promise<boolean> {
    const changes = await changesIn(values)
    if (changes === undefined) return false
    app.changes.add({ address: path, ...jsonRequest('MERGE', changes, condition) }, changes)
    return true
  }

  /** Compares the values of the user with those that another user has stored since. */
  async function showConflicts(changes: Values): Promise<void> {
    const current = parseDocument((await app.client.send(path)).text)
    if (!isEntity(current)) return
    const rows = properties
      .filter(({ name }) => name in changes)
      .map((one) => [one.name, shown(app, changes[one.name], one), shown(app, current[one.name], one)])
    const newEtag = metadataOf(current).etag
    condition = typeof newEtag === 'string' ? { 'If-Match': newEtag } : undefined
    fill(
      conflicts,
      table('Conflicts', ['Property', 'Your value', 'Stored value'], rows),
      note('Save again to overwrite the stored values, or discard your changes.'),
      link(`#edit/${path}`, 'Discard my changes', { class: 'button' }),
    )
  }

  const done = (): void => app.navigate(resourceHash(path))
  return [formOf(app, fields, 'Save', { save, saveLater, done, back: resourceHash(path) }), conflicts]
}

function shown(app: App, value: unknown, property: Property): Node {
  return valueView(app, value, property)
}

function failed(message: string): View {
  return { title: 'Error', content: [heading('Error'), alert(message)] }
}

/** Selects the properties that a user may set. */
function isEditable(annotation: 'sap:creatable' | 'sap:updatable'): (property: Property) => boolean {
  return ({ annotations }) => !annotations.some(([name, value]) => name === annotation && value === 'false')
}

type Values = Readonly<Record<string, unknown>>

function jsonRequest(
  method: string,
  values: Values,
  headers: Readonly<Record<string, string>> = {},
): { method: string; headers: Readonly<Record<string, string>>; body: string } {
  return { method, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(values) }
}

async function valuesOf(fields: readonly ValueField[]): Promise<Values> {
  const entries = await Promise.all(fields.map(async (field) => [field.name, await field.read()] as const))
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

interface FormActions {
  /** Sends the values; undefined if there is nothing to change. */
  readonly save: (values: Values) => Promise<Exchange | undefined>
  /** Adds the values to the changes that are sent together; false if there is nothing to change. */
  readonly saveLater: (values: Values) => Promise<boolean>
  readonly done: (exchange: Exchange) => void
  /** The view to which the user returns without saving. */
  readonly back: string
}

/** Creates a form that shows the messages of the service at the fields that they are about. */
function formOf(
  app: App,
  fields: readonly ValueField[],
  submitText: string,
  { save, saveLater, done, back }: FormActions,
): HTMLElement {
  const problem = el('div')
  const submit = el('button', { type: 'submit', class: 'primary' }, submitText)
  const form = el(
    'form',
    { class: 'edit', 'aria-label': 'Properties', onsubmit: (event) => void send(event) },
    ...fields.map(({ element }) => element),
    problem,
    el(
      'p',
      { class: 'actions' },
      submit,
      button('Add to changes', () => void keep()),
      link(back, 'Cancel', { class: 'button' }),
    ),
  )

  async function send(event: Event): Promise<void> {
    event.preventDefault()
    submit.disabled = true
    fill(problem)
    for (const field of fields) field.showMessage('')
    try {
      const exchange = await save(await valuesOf(fields))
      if (exchange === undefined) fill(problem, note('Nothing has changed.'))
      else if (exchange.status < 400) done(exchange)
      else showError(exchange)
    } catch (error) {
      fill(problem, alert(error instanceof Error ? error.message : String(error)))
    }
    submit.disabled = false
  }

  async function keep(): Promise<void> {
    try {
      if (!(await saveLater(await valuesOf(fields)))) return fill(problem, note('Nothing has changed.'))
      app.navigate('#changes')
    } catch (error) {
      fill(problem, alert(error instanceof Error ? error.message : String(error)))
    }
  }

  function showError(exchange: Exchange): void {
    const error = errorOf(exchange)
    if (error === undefined) return
    const text = exchange.status === 412 ? 'Another user has changed this entity.' : error.message
    fill(problem, alert(text, error.title))
    // Messages about a property begin with its path: 'Address/City' must not be null.
    const messages = [[/^'([^']+)'/.exec(error.message)?.[1], error.message] as const, ...error.details]
    for (const [target, message] of messages) {
      const name = target?.split('/').find((part) => fields.some((field) => field.name === part))
      fields.find((field) => field.name === name)?.showMessage(message)
    }
    form.querySelector<HTMLElement>('.wrong input, .wrong textarea, .wrong select')?.focus()
  }

  return form
}
