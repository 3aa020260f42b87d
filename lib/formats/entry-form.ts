import type { EntityType } from '../edm/edm-model.js'
import type { Row } from '../evaluation/row.js'
import { typeOfRow } from '../evaluation/row.js'
import type { EntryTemplate } from '../provider/entry-template.js'
import type { Projection } from '../query/projection.js'
import type { ValueFormat, WriteEntry } from './template-writer.js'
import { templateWriter } from './template-writer.js'

/** How the entries of a projection are written. */
export interface EntryForm {
  readonly write: WriteEntry
  /** Undefined when entities can be of several types, each of which has its own. */
  readonly template: EntryTemplate | undefined
}

/**
 * The entries of one format: made once for each projection, specialised for each type of entity that turns up.
 *
 * @param templateOf what the entries of one type consist of
 * @param value how simple properties are written
 */
export function entryForms(
  templateOf: (projection: Projection, type: EntityType) => EntryTemplate,
  value: ValueFormat,
): (projection: Projection) => EntryForm {
  const forms = new WeakMap<Projection, EntryForm>()
  const formOf = (projection: Projection): EntryForm => {
    let form = forms.get(projection)
    if (form === undefined) {
      form = makeForm(projection)
      forms.set(projection, form)
    }
    return form
  }
  const format = { value, entry: (projection: Projection) => formOf(projection).write }
  const makeForm = (projection: Projection): EntryForm => {
    const { entityType } = projection
    const template = templateOf(projection, entityType)
    const write = templateWriter(template, projection, format)
    if (entityType.derivedTypes.length === 0) return { write, template }
    const writerOf = (type: EntityType): WriteEntry =>
      templateWriter(templateOf(projection, type), projection, format)
    return { write: writerOfAllTypes(entityType, write, writerOf), template: undefined }
  }
  return formOf
}

function writerOfAllTypes(
  entityType: EntityType,
  base: WriteEntry,
  writerOf: (type: EntityType) => WriteEntry,
): WriteEntry {
  const byType = new Map<EntityType, WriteEntry>([[entityType, base]])
  return (batch, index, context, declarations) => {
    const type = typeOfRow(batch.rows[index] as Row, entityType)
    let writer = byType.get(type)
    if (writer === undefined) {
      writer = writerOf(type)
      byType.set(type, writer)
    }
    return writer(batch, index, context, declarations)
  }
}
