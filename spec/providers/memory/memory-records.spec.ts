import { MemoryRecords } from '../../../lib/providers/memory/memory-records.js'
import { UndoLog } from '../../../lib/providers/memory/undo-log.js'
import type { RequestRecord } from '../../../lib/provider/request-records.js'
import { callWith } from '../../support/provider-call.js'

const HOUR = 3_600_000

function record(id: string, firstSent: number, expires = Date.now() + HOUR): RequestRecord {
  return { id, firstSent: new Date(firstSent), expires: new Date(expires) }
}

describe('MemoryRecords', () => {
  const undoLog = new UndoLog()
  const call = callWith()

  it('MUST limit the number of records, and refuse those that it may have removed', async () => {
    const records = new MemoryRecords(undoLog, 3)
    const start = Date.now() - HOUR
    for (let index = 0; index < 10; index++)
      expect(records.add(record(`${String(index)}`, start + index), call)).toBe(true)
    expect([records.find('6', call), records.find('7', call)]).toEqual([undefined, ''])
    expect(() => records.add(record('6', start + 6), call)).toThrow(
      expect.objectContaining({ code: 'PreconditionFailed' }) as Error,
    )
    expect(() => records.add(record('new', start + 6), call)).toThrow()
    expect(records.add(record('7', start + 7), call)).toBe(false)
    expect(await records.add(record('new', start + 7), call)).toBe(true)
  })

  it('MUST limit the characters of all responses', () => {
    const records = new MemoryRecords(undoLog, 1000, 100)
    const now = Date.now()
    for (let index = 0; index < 50; index++) {
      const id = String(index)
      void records.add(record(id, now + index), call)
      void records.complete(id, 'x'.repeat(30), call)
    }
    const found = Array.from({ length: 50 }, (_, index) => records.find(String(index), call))
    expect(found.filter((one) => one !== undefined)).toHaveLength(4)
    expect(found.at(-1)).toHaveLength(30)
  })

  it('MUST not refuse requests because of others whose clocks are ahead', async () => {
    const records = new MemoryRecords(undoLog, 3)
    const ahead = Date.now() + HOUR
    const expires = ahead + HOUR
    for (const id of ['a', 'b', 'c']) void records.add(record(id, ahead, expires), call)
    expect(() => records.add(record('d', ahead, expires), call)).toThrow(
      expect.objectContaining({ code: 'PreconditionFailed' }) as Error,
    )
    for (const id of ['e', 'f']) expect(await records.add(record(id, Date.now() + 1000), call)).toBe(true)
    expect(['a', 'b', 'c', 'e'].map((id) => records.find(id, call))).toEqual(['', '', '', undefined])
  })

  it('MUST remove expired records without refusing others', () => {
    const records = new MemoryRecords(undoLog, 2)
    const now = Date.now()
    for (const id of ['a', 'b', 'c', 'd']) void records.add(record(id, now, now - 1), call)
    expect(records.find('a', call)).toBeUndefined()
    expect(records.add(record('e', now), call)).toBe(true)
  })

  it('MUST remove the record of a change set that is rolled back', async () => {
    const records = new MemoryRecords(undoLog)
    const changeSet = await undoLog.begin(call)
    const within = { ...callWith(), changeSet }
    expect(records.add(record('a', Date.now()), within)).toBe(true)
    expect(records.add(record('a', Date.now()), within)).toBe(false)
    void records.complete('a', 'response', within)
    const found = records.find('a', call)
    await changeSet.rollBack()
    expect(await found).toBeUndefined()
    expect(records.add(record('a', Date.now()), call)).toBe(true)
  })
})
