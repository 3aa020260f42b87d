import { runGuide } from '../support/guide-app.js'
import { OpenUI5, startTime } from './support/openui5.js'

/** The guide on drafts, with the calls of `ODataModel` that the draft controller of Fiori elements makes. */

let ui5: OpenUI5
let root: string

beforeAll(async () => {
  ui5 = await OpenUI5.start()
}, startTime)
afterAll(() => ui5.close())

beforeEach(async () => {
  root = `${ui5.mount('drafts', await runGuide('docs/drafts.md'))}shop/`
  ui5.takeRequests()
})
afterEach(() => {
  expect(ui5.takeErrors()).toEqual([])
})

const ID = '11111111-1111-4111-8111-111111111111'

describe('sap.ui.model.odata.v2.ODataModel editing drafts', () => {
  it('MUST edit, change, prepare and activate a draft in batches', async () => {
    const seen = await ui5.run(
      async ({ open, read, call, update, submit, pathOf }, { root, ID }) => {
        const model = await open(root, { useBatch: true })
        const key = { ID, IsActiveEntity: true }
        const { data: draft } = await call(model, '/Orders_Edit', {
          method: 'POST',
          urlParameters: { ...key, PreserveChanges: true },
        })
        const path = pathOf(model, '/Orders', draft)
        const active = pathOf(model, '/Orders', key)
        await update(model, path, { Note: 'Changed in UI5' })
        const expanded = { urlParameters: { $expand: 'SiblingEntity,DraftAdministrativeData' } }
        const { data: sibling } = await read<Record<string, unknown>>(model, active, expanded)
        model.setDeferredGroups(['activate'])
        const draftKey = { ID, IsActiveEntity: false }
        const saving = ['Orders_Preparation', 'Orders_Activation'].map((name, index) =>
          call(model, `/${name}`, {
            method: 'POST',
            urlParameters: { ...draftKey, ...(index === 0 && { SideEffectsQualifier: '' }) },
            groupId: 'activate',
            changeSetId: name,
            headers: { Prefer: 'handling=strict' },
          }),
        )
        await submit(model, { groupId: 'activate' })
        const [, activated] = await Promise.all(saving)
        return {
          draft: [draft.IsActiveEntity, draft.HasActiveEntity],
          note: sibling.Note,
          sibling: (sibling.SiblingEntity as Record<string, unknown>).IsActiveEntity,
          user: (sibling.DraftAdministrativeData as Record<string, unknown>).InProcessByUser,
          activated: [activated?.data.IsActiveEntity, activated?.data.Note],
        }
      },
      { root, ID },
    )
    expect(seen).toEqual({
      draft: [false, true],
      note: 'Urgent',
      sibling: false,
      user: 'ada',
      activated: [true, 'Changed in UI5'],
    })
    const batches = ui5.takeRequests().filter(({ path }) => path.endsWith('$batch'))
    expect(batches.at(-1)?.body.match(/POST [^ ]+/g)).toEqual([
      `POST Orders_Preparation?ID=guid'${ID}'&IsActiveEntity=false&SideEffectsQualifier=''`,
      `POST Orders_Activation?ID=guid'${ID}'&IsActiveEntity=false`,
    ])
  })

  it('MUST create, complete and discard a draft', async () => {
    const seen = await ui5.run(
      async ({ open, create, call, remove, refusal, pathOf }, { root }) => {
        const model = await open(root, { useBatch: true })
        const { data: draft } = await create(model, '/Orders', {})
        const path = pathOf(model, '/Orders', draft)
        const { data: item } = await create(model, `${path}/Items`, { Product: 'Feta' })
        const { ID, IsActiveEntity } = draft
        const urlParameters = { ID, IsActiveEntity } as Record<string, string>
        const { status, body } = await refusal(
          call(model, '/Orders_Activation', { method: 'POST', urlParameters }),
        )
        await remove(model, path)
        return {
          draft: [draft.IsActiveEntity, draft.HasDraftEntity],
          item: [item.IsActiveEntity, item.OrderID === ID],
          status,
          target: body.includes('"target":"Customer"'),
        }
      },
      { root },
    )
    expect(seen).toEqual({ draft: [false, false], item: [false, true], status: 400, target: true })
  })
})
