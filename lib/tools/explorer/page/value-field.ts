import type { App } from './app.js'
import type { Combobox } from './components.js'
import type { Attributes, Child } from './dom.js'
import { el, fill, uniqueId } from './dom.js'
import { formatValue, isNumberType } from './format.js'
import type { Property } from './model.js'
import { shortName, typeOf } from './model.js'
import { isEntity } from './payload.js'
import type { Reference } from './references.js'
import type { OtherValues } from './value-picker.js'
import { valuePicker } from './value-picker.js'

/** A field of a form that edits the value of a property. */
export interface ValueField {
  readonly name: string
  readonly element: HTMLElement
  /** Returns the entered value as in verbose JSON, or a promise of it; undefined for an empty field of a new entity. */
  readonly read: () => unknown
  /** Replaces the entered value by one in verbose JSON. */
  readonly write: (value: unknown) => void
  /** Shows a message of the service at the field; an empty one removes it. */
  showMessage(text: string): void
}

/** The entities from which a user chooses a value. */
interface ValueChoice {
  /** Undefined for values that are not chosen from entities. */
  readonly reference: Reference | undefined
  readonly others: OtherValues
}

/** Longer strings get several lines. */
const MAX_LINE_LENGTH = 120

/** Larger values are not loaded into the page. */
const MAX_BINARY_BYTES = 20_000_000

/**
 * Creates a field for the value of a property.
 *
 * @param value the stored value in verbose JSON; undefined for new entities
 * @param isFixed whether the value cannot be changed
 * @param list the entities from which the user chooses the value, and the other values of the entity
 */
export function valueField(
  app: App,
  property: Property,
  value: unknown,
  isFixed: boolean,
  list?: ValueChoice,
): ValueField {
  const { name, type, label, facets, isNullable } = property
  const complex = typeOf(app.model, type)
  if (complex !== undefined) return complexField(app, property, complex.properties, value, isFixed)
  const id = uniqueId('value')
  const message = el('p', { class: 'explanation', id: `${id}-message`, hidden: true })
  const attributes = { id, name, disabled: isFixed, 'aria-describedby': message.id }
  const control = controlOf(property, value, attributes, (others) =>
    list?.reference === undefined
      ? undefined
      : valuePicker(app, list.reference, list.others, { ...attributes, ...others }),
  )
  const hint = [shortName(type), ...facets.filter((facet) => facet.startsWith('MaxLength'))].join(' ')
  const isRequired = !isNullable && !isFixed
  const element = el(
    'div',
    { class: 'field value-field' },
    el(
      'label',
      { for: id, title: label },
      name,
      isRequired ? el('span', { 'aria-hidden': 'true' }, ' *') : undefined,
    ),
    el('div', { class: 'control' }, ...control.elements, el('small', {}, hint)),
    message,
  )
  return {
    name,
    element,
    read: control.read,
    write: (next) => {
      if (!isFixed) control.write(next)
    },
    showMessage(text) {
      message.hidden = text === ''
      fill(message, text)
      element.classList.toggle('wrong', text !== '')
    },
  }
}

interface Control extends Pick<ValueField, 'read' | 'write'> {
  readonly elements: readonly Child[]
}

type ControlAttributes = Readonly<Record<string, string | boolean>>

/** Creates a field that lists the accepted values; undefined for properties without a list. */
type CreatePicker = (attributes: Attributes) => Combobox | undefined

function controlOf(
  property: Property,
  value: unknown,
  attributes: ControlAttributes,
  createPicker: CreatePicker,
): Control {
  const choices = property.type === 'Edm.Boolean' ? ['true', 'false'] : property.allowedValues
  if (choices.length > 0) return choiceControl(property, value, attributes, choices)
  if (property.type === 'Edm.Binary') return binaryControl(property, value, attributes)
  if (property.type === 'Edm.String') return stringControl(property, value, attributes, createPicker)
  return textControl(property, value, attributes, createPicker)
}

/** Creates a list of the values that the property accepts, and of the stored one. */
function choiceControl(
  { type, isNullable }: Property,
  value: unknown,
  attributes: ControlAttributes,
  choices: readonly string[],
): Control {
  const stored = value === null || value === undefined ? '' : formatValue(value, type).text
  const isEmptyAllowed = isNullable || value === undefined || value === null
  const texts = new Set([...(isEmptyAllowed ? [''] : []), ...choices, stored])
  const select = el(
    'select',
    attributes,
    ...[...texts].map((text) => el('option', { value: text, selected: text === stored }, text)),
  )
  return {
    elements: [select],
    read: () => {
      if (select.value === '' && !choices.includes('')) return emptyValue(value)
      return type === 'Edm.Boolean' ? select.value === 'true' : select.value
    },
    write: (next) => (select.value = next === null ? '' : formatValue(next, type).text),
  }
}

/** Creates a field in which an empty string and null differ. */
function stringControl(
  property: Property,
  value: unknown,
  attributes: ControlAttributes,
  createPicker: CreatePicker,
): Control {
  const maxLength = Number(/^MaxLength (\d+)$/.exec(property.facets.join('\n'))?.[1] ?? Number.NaN)
  const text = typeof value === 'string' ? value : ''
  const isLong = maxLength > MAX_LINE_LENGTH || text.length > MAX_LINE_LENGTH || text.includes('\n')
  const picker = createPicker({ value: text })
  const input =
    picker?.input ??
    (isLong
      ? el('textarea', { ...attributes, rows: 4 }, text)
      : el('input', { ...attributes, value: text, autocomplete: 'off' }))
  const isNull = el('input', { type: 'checkbox', checked: value === null, disabled: attributes.disabled })
  const nullLabel = property.isNullable ? el('label', { class: 'null' }, isNull, 'null') : undefined
  for (const type of ['input', 'change']) input.addEventListener(type, () => (isNull.checked = false))
  return {
    elements: [picker?.element ?? input, nullLabel],
    read: () => {
      if (isNull.checked) return null
      return input.value === '' && value === undefined ? undefined : input.value
    },
    write: (next) => {
      input.value = typeof next === 'string' ? next : ''
      input.dispatchEvent(new Event('change'))
      isNull.checked = property.isNullable && next === null
    },
  }
}

function binaryControl(_: Property, value: unknown, attributes: ControlAttributes): Control {
  const file = el('input', { ...attributes, type: 'file' })
  const stored = typeof value === 'string' ? formatValue(value, 'Edm.Binary').text : 'nothing'
  return {
    elements: [file, el('small', {}, value === undefined ? '' : `stored: ${stored}`)],
    read: () => {
      const chosen = file.files?.[0]
      if (chosen === undefined) return value
      if (chosen.size > MAX_BINARY_BYTES)
        throw new Error(`${attributes.name as string}: the file is too large.`)
      return base64(chosen)
    },
    write: () => undefined,
  }
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () =>
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : '')
    reader.onerror = () => reject(new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}

/** Creates a field for numbers, dates, times and GUIDs, which have no empty value except null. */
function textControl(
  { type }: Property,
  value: unknown,
  attributes: ControlAttributes,
  createPicker: CreatePicker,
): Control {
  const text = editedText(value, type)
  const picker = createPicker({ value: text })
  const input =
    picker?.input ??
    el('input', {
      ...attributes,
      value: text,
      autocomplete: 'off',
      inputmode: isNumberType(type) ? 'decimal' : undefined,
      placeholder: EXAMPLES[type],
    })
  return {
    elements: [picker?.element ?? input],
    read: () => (input.value.trim() === '' ? emptyValue(value) : typedValue(input.value.trim(), type)),
    write: (next) => {
      input.value = editedText(next, type)
      input.dispatchEvent(new Event('change'))
    },
  }
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'Edm.DateTime': '2026-01-31T12:00:00',
  'Edm.DateTimeOffset': '2026-01-31T12:00:00+01:00',
  'Edm.Time': '12:30:00',
  'Edm.Guid': '00000000-0000-0000-0000-000000000000',
}

/** Returns a stored value as the user edits it. */
function editedText(value: unknown, type: string): string {
  if (value === null || value === undefined) return ''
  const { text } = formatValue(value, type)
  if (type === 'Edm.DateTime') return text.length === 10 ? `${text}T00:00:00` : text.replace(' ', 'T')
  return type === 'Edm.DateTimeOffset' ? text.replace(' ', 'T').replace(' ', '') : text
}

/** Returns an entered text as in verbose JSON. The service checks it. */
function typedValue(text: string, type: string): unknown {
  const isNumber = /^Edm\.(?:Byte|SByte|Int16|Int32)$/.test(type)
  if (isNumber && /^-?\d{1,15}$/.test(text)) return Number(text)
  const time = /^(\d+):(\d+)(?::(\d+(?:\.\d+)?))?$/.exec(text)
  if (type === 'Edm.Time' && time !== null)
    return `PT${String(Number(time[1]))}H${String(Number(time[2]))}M${time[3] ?? '0'}S`
  return text
}

/** Returns null in place of a stored value, and nothing for a new entity, so that it gets the default. */
function emptyValue(stored: unknown): null | undefined {
  return stored === undefined ? undefined : null
}

function complexField(
  app: App,
  { name }: Property,
  members: readonly Property[],
  value: unknown,
  isFixed: boolean,
): ValueField {
  const fields = members.map((member) =>
    valueField(app, member, isEntity(value) ? value[member.name] : undefined, isFixed),
  )
  const message = el('p', { class: 'explanation', hidden: true })
  const legend = el('legend', {}, name)
  return {
    name,
    element: el('fieldset', {}, legend, ...fields.map((field) => field.element), message),
    async read() {
      const entries = await Promise.all(
        fields.map(async (field) => [field.name, await field.read()] as const),
      )
      const given = entries.filter(([, one]) => one !== undefined)
      if (given.length === 0) return isEntity(value) ? value : emptyValue(value)
      return Object.fromEntries(given)
    },
    write(next) {
      for (const field of fields) field.write(isEntity(next) ? next[field.name] : null)
    },
    showMessage(text) {
      message.hidden = text === ''
      fill(message, text)
    },
  }
}
