import { resourceHash } from './address.js'
import type { App, View } from './app.js'
import { alert, button, link, note, title as heading } from './components.js'
import type { Child } from './dom.js'
import { el, fill } from './dom.js'
import { EntityChanges, isEditable, isUpdatable, jsonRequest } from './entity-changes.js'
import type { EntitySet, Property, StructuralType } from './model.js'
import { resourceOf } from './model.js'
import type { Entity } from './payload.js'
import { errorOf, isEntity, metadataOf, parseDocument } from './payload.js'
import type { Values } from './pending-changes.js'
import { referencesOf } from './references.js'
import type { Exchange } from './service-client.js'
import { uploadForm } from './upload.js'
import type { ValueField } from './value-field.js'
import { valueField } from './value-field.js'
import type { OtherValues } from './value-picker.js'

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
  const fields = fieldsOf(app, type, set, type.properties.filter(isEditable('sap:creatable')))
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
  const properties = type.properties.filter(({ name }) => name in entity)
  const changes = new EntityChanges(app, path, entity, type)
  const fields = fieldsOf(app, type, set, properties, changes.current)
  const conflicts = el('div')

  async function save(values: Values): Promise<Exchange | undefined> {
    const changed = await changes.differing(values)
    if (isEmpty(changed)) return undefined
    const exchange = await app.client.send(path, changes.request(changed))
    if (exchange.status === 412) showConflicts(await changes.compare(changed))
    if (exchange.status < 400) app.changes.remove(changes.pending)
    return exchange
  }

  async function saveLater(values: Values): Promise<boolean> {
    const changed = await changes.differing(values)
    changes.replace(changed)
    return !isEmpty(changed)
  }

  function showConflicts(comparison: HTMLElement | undefined): void {
    if (comparison === undefined) return
    fill(
      conflicts,
      comparison,
      note('Save again to overwrite the stored values, or discard your changes.'),
      link(`#edit/${path}`, 'Discard my changes', { class: 'button' }),
    )
  }

  const done = (): void => app.navigate(resourceHash(path))
  return [formOf(app, fields, 'Save', { save, saveLater, done, back: resourceHash(path) }), conflicts]
}

function isEmpty(values: Values): boolean {
  return Object.keys(values).length === 0
}

/**
 * Creates the fields of a form.
 *
 * @param entity undefined for a new one
 */
function fieldsOf(
  app: App,
  type: StructuralType,
  set: EntitySet | undefined,
  properties: readonly Property[],
  entity?: Entity,
): readonly ValueField[] {
  const references = referencesOf(app.model, type, set)
  const others: OtherValues = {
    read: (name) => fields.find((one) => one.name === name)?.read(),
    fill: (values) => {
      for (const field of fields) if (field.name in values) field.write(values[field.name])
    },
  }
  const fields = properties.map((one) => {
    const isFixed = entity !== undefined && !isUpdatable(one)
    const reference = references.get(one.name)
    return valueField(app, one, entity?.[one.name], isFixed, { reference, others })
  })
  return fields
}

function failed(message: string): View {
  return { title: 'Error', content: [heading('Error'), alert(message)] }
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
