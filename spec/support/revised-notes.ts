import type { EntitySetProvider, Provider, Row, WriteCondition } from '../../lib/index.js'
import { defineModel, edm, ODataError } from '../../lib/index.js'

/** Notes with an author. No property is a concurrency token. */
export const notesModel = defineModel({
  namespace: 'Notes',
  entityTypes: {
    Note: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Text: edm.String(), AuthorID: edm.Int32() },
      navigationProperties: { Author: { relationship: 'Authors', fromRole: 'Note', toRole: 'Author' } },
    },
    Author: {
      key: ['ID'],
      properties: { ID: edm.Int32({ nullable: false }), Name: edm.String() },
      navigationProperties: { Notes: { relationship: 'Authors', fromRole: 'Author', toRole: 'Note' } },
    },
  },
  associations: {
    Authors: {
      ends: {
        Author: { type: 'Author', multiplicity: '0..1' },
        Note: { type: 'Note', multiplicity: '*' },
      },
      referentialConstraint: {
        principal: { role: 'Author', properties: ['ID'] },
        dependent: { role: 'Note', properties: ['AuthorID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Notes: { entityType: 'Note' }, Authors: { entityType: 'Author' } },
  },
})

/** A store whose revisions are not properties of the model. */
export class RevisedNotes {
  readonly calls: string[] = []
  private readonly rows = new Map<unknown, Row>()
  private revision = 0

  constructor(
    private readonly options: {
      readonly autocommits?: boolean
      readonly returnsRows?: boolean
      readonly requiresIfMatch?: boolean
    } = {},
  ) {
    this.store({ ID: 1, Text: 'one', AuthorID: 7 })
    this.store({ ID: 2, Text: 'two', AuthorID: null })
  }

  get provider(): Provider {
    const set = this.notes
    const authors: readonly Row[] = [{ ID: 7, Name: 'Ada' }]
    return { entitySets: { Notes: set, Authors: { read: () => authors } } }
  }

  private get notes(): EntitySetProvider {
    const changes = {
      insert: (entity: Row) => this.store(entity),
      update: (key: Row, values: Row, condition: WriteCondition) => this.update(key, values, condition),
      delete: (key: Row, condition: WriteCondition) => this.delete(key, condition),
    }
    const readByKey = ({ ID }: Row): Row | undefined => {
      this.calls.push('readByKey')
      return this.rows.get(ID)
    }
    const etag = ({ $revision }: Row): string => `W/"r,${String($revision)}&'<"`
    const { requiresIfMatch } = this.options
    const read = (): readonly Row[] => [...this.rows.values()]
    const set = { ...changes, etag, requiresIfMatch, readByKey, read }
    if (this.options.autocommits !== true) return set
    return {
      ...set,
      autocommit: {
        replaces: changes,
        insert: (entity, respond) => {
          respond(this.store(entity))
          return true
        },
        update: (key, values, condition) => {
          const row = this.update(key, values, condition)
          return row === undefined || this.options.returnsRows === true ? row : etag(row)
        },
        delete: (key, condition) => this.delete(key, condition),
      },
    }
  }

  private store(entity: Row): Row {
    const row = { ...entity, $revision: ++this.revision }
    this.rows.set(entity.ID, row)
    return row
  }

  private update({ ID }: Row, values: Row, condition: WriteCondition): Row | undefined {
    const row = this.check('update', ID, condition)
    return row && this.store({ ...row, ...values })
  }

  private delete({ ID }: Row, condition: WriteCondition): boolean {
    return this.check('delete', ID, condition) !== undefined && this.rows.delete(ID)
  }

  private check(change: string, id: unknown, { ifMatch, version }: WriteCondition): Row | undefined {
    this.calls.push(`${change} ${ifMatch ?? JSON.stringify(version) ?? '*'}`)
    const row = this.rows.get(id)
    if (row !== undefined && ifMatch !== undefined && ifMatch !== `W/"r,${String(row.$revision)}&'<"`)
      throw new ODataError('PreconditionFailed')
    return row
  }
}
