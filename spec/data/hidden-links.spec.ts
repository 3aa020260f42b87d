import express from 'express'
import type { AccessRights, Authorize, ServiceOptions } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, ODataError, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const ID = edm.Int32({ nullable: false })
const optional = '0..1'
const many = '*'
const model = defineModel({
  namespace: 'T',
  entityTypes: {
    Firm: { key: ['ID'], properties: { ID } },
    Dept: {
      key: ['ID'],
      properties: { ID, FirmID: edm.Int32() },
      navigationProperties: { Staff: { relationship: 'DS', fromRole: 'D', toRole: 'S' } },
    },
    Person: {
      key: ['ID'],
      properties: {
        ID,
        DeptID: edm.Int32(),
        Rank: edm.Int32({ nullable: false, sap: { requiredInFilter: true } }),
      },
      navigationProperties: {
        Dept: { relationship: 'DS', fromRole: 'S', toRole: 'D' },
        Badge: { relationship: 'SB', fromRole: 'S', toRole: 'B' },
      },
    },
    Badge: { key: ['ID'], properties: { ID } },
  },
  associations: {
    FD: {
      ends: {
        F: { type: 'Firm', multiplicity: optional, onDelete: 'Cascade' },
        D: { type: 'Dept', multiplicity: many },
      },
      referentialConstraint: {
        principal: { role: 'F', properties: ['ID'] },
        dependent: { role: 'D', properties: ['FirmID'] },
      },
    },
    DS: {
      ends: { D: { type: 'Dept', multiplicity: optional }, S: { type: 'Person', multiplicity: many } },
      referentialConstraint: {
        principal: { role: 'D', properties: ['ID'] },
        dependent: { role: 'S', properties: ['DeptID'] },
      },
    },
    SB: { ends: { S: { type: 'Person', multiplicity: many }, B: { type: 'Badge', multiplicity: optional } } },
  },
  entityContainer: {
    entitySets: {
      Firms: { entityType: 'Firm' },
      Teams: { entityType: 'Dept' },
      Staff: { entityType: 'Person' },
      Badges: { entityType: 'Badge' },
    },
  },
})

type Names = NonNullable<AccessRights<typeof model>['hidden']>
const columns: Names = ['Dept', 'DeptID', 'Badge']

describe('Hidden and readonly columns', () => {
  let server: TestServer
  let rights: AccessRights<typeof model> | undefined
  let hooks: ServiceOptions<unknown, typeof model>['hooks']
  const authorize: Authorize<unknown, typeof model> = ({ entitySet }) =>
    entitySet === 'Staff' ? rights : undefined

  async function start(): Promise<void> {
    const provider = memoryProvider(model, {
      Firms: [{ ID: 1 }, { ID: 2 }],
      Teams: [
        { ID: 1, FirmID: 1 },
        { ID: 2, FirmID: 2 },
        { ID: 3, FirmID: null },
      ],
      Staff: [
        { ID: 1, DeptID: 1, Rank: 7 },
        { ID: 2, DeptID: null, Rank: 8 },
      ],
      Badges: [{ ID: 1 }, { ID: 2 }],
    })
    const app = express().use('/s', odataV2(model, provider, { authorize, ...(hooks && { hooks }) }))
    server = await TestServer.start(app)
    rights = undefined
    await send('PUT', 'Staff(1)/$links/Badge', { uri: 'Badges(1)' })
  }

  afterEach(async () => {
    hooks = undefined
    await server.stop()
  })

  const send = async (method: string, path: string, body?: unknown) => {
    const { headers, status, text } = await server.send(`/s/${path}`, {
      method,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { headers, status, text }
  }

  describe.each(['hidden', 'readonly'] as const)('%s', (kind) => {
    it.each<[string, string, unknown]>([
      ['POST', 'Teams(2)/$links/Staff', { uri: 'Staff(1)' }],
      ['POST', 'Teams(2)/$links/Staff', { uri: 'Staff(2)' }],
      ['DELETE', 'Teams(1)/$links/Staff(1)', undefined],
      ['DELETE', 'Teams(1)/Staff(1)', undefined],
      ['POST', 'Teams', { ID: 7, Staff: [{ __metadata: { uri: 'Staff(1)' } }] }],
      ['POST', 'Teams', { ID: 7, Staff: [{ ID: 9, Rank: 1 }] }],
      ['POST', 'Teams(2)/Staff', { ID: 9, Rank: 1 }],
      ['DELETE', 'Teams(1)', undefined],
      ['DELETE', 'Firms(1)', undefined],
      ['DELETE', 'Badges(1)', undefined],
    ])('MUST NOT change by a link or a deletion on the other side: %s %s', async (method, path, body) => {
      await start()
      rights = { [kind]: columns }
      const { status, text } = await send(method, path, body)
      expect(status).toBe(403)
      if (kind === 'hidden') expect(text).not.toMatch(/Dept\b|DeptID|Badge\b/)
      rights = undefined
      expect(JSON.parse((await send('GET', 'Staff(1)?$expand=Badge')).text)).toMatchObject({
        d: { DeptID: 1, Badge: { ID: 1 } },
      })
    })

    it('MUST allow deletions to which nothing refers', async () => {
      await start()
      rights = { [kind]: columns }
      for (const path of ['Teams(2)', 'Firms(2)', 'Badges(2)', 'Staff(1)', 'Teams(1)', 'Badges(1)'])
        expect([path, (await send('DELETE', path)).status]).toEqual([path, 204])
    })
  })

  it('MUST NOT be named by errors of a change that fails because of them', async () => {
    hooks = {
      Staff: {
        beforeUpdate: () => {
          throw new ODataError('Conflict', { message: "'Rank' is too low." })
        },
      },
    }
    await start()
    rights = { hidden: ['Rank'] }
    const inserted = await send('POST', 'Staff', { ID: 9 })
    expect([inserted.status, inserted.text]).toEqual([400, expect.not.stringContaining('Rank')])
    const updated = await send('MERGE', 'Staff(1)', { DeptID: 2 })
    expect([updated.status, updated.text]).toEqual([409, expect.not.stringContaining('Rank')])
  })

  it('MUST NOT be targets of messages', async () => {
    hooks = {
      Staff: {
        beforeUpdate: (_changes, _current, { messages }) =>
          messages.add({ code: 'A/1', message: 'Check it.', severity: 'warning', target: 'Rank' }),
      },
    }
    await start()
    expect((await send('MERGE', 'Staff(1)', { DeptID: 2 })).headers['sap-message']).toContain('Rank')
    rights = { hidden: ['Rank'] }
    const message = (await send('MERGE', 'Staff(1)', { DeptID: 3 })).headers['sap-message']
    expect([message?.includes('Check it.'), message?.includes('Rank')]).toEqual([true, false])
  })

  it('MUST NOT be required in filters if they are hidden', async () => {
    await start()
    expect((await send('GET', 'Staff')).status).toBe(400)
    rights = { hidden: ['Rank'] }
    const { status, text } = await send('GET', 'Staff')
    expect([status, text]).toEqual([200, expect.not.stringContaining('Rank')])
  })
})
