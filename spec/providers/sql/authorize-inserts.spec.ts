import express from 'express'
import { defineModel, edm, memoryProvider, odataV2 } from '../../../lib/index.js'
import { itAuthorizesStoredInserts, noteTables } from '../../support/sql/authorize-inserts.js'
import { describeDatabases } from '../../support/sql/databases.js'
import { TestServer } from '../../support/http-exchange.js'

describeDatabases(({ open }) => {
  itAuthorizesStoredInserts(() => open(noteTables))
})

describe('memory', () => {
  it('MUST check generated keys after the insert, and roll it back', async () => {
    const model = defineModel({
      namespace: 'N',
      entityTypes: { Note: { key: ['Id'], properties: { Id: edm.Int32(), Line: edm.String() } } },
      entityContainer: { entitySets: { Notes: { entityType: 'Note' } } },
    })
    const service = odataV2(model, memoryProvider(model, { Notes: [{ Id: 7, Line: 'a' }] }), {
      authorize: ({ kind }) => (kind === 'insert' ? 'Id lt 9 or Id eq null' : undefined),
    })
    const server = await TestServer.start(express().use('/', service))
    const post = async (body: unknown): Promise<number> =>
      (
        await server.send('/Notes', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status
    expect([await post({ Line: 'b' }), await post({ Line: 'c' })]).toEqual([201, 403])
    expect((await server.send('/Notes/$count', {})).text).toBe('2')
    await server.stop()
  })
})
