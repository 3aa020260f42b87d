import { deepFreeze } from '../../lib/edm/build/build-model.js'
import { isPromiseLike } from '../../lib/util/maybe-promise.js'
import { nextTurn } from '../../lib/util/next-turn.js'

describe('deepFreeze', () => {
  it('freezes objects, arrays and all that is in them, and returns the value', () => {
    const value = { list: [{ name: 'a' }], nothing: null, number: 1 }
    expect(deepFreeze(value)).toBe(value)
    expect([value, value.list, value.list[0]].map((one) => Object.isFrozen(one))).toEqual([true, true, true])
  })

  it('freezes what is inside of something frozen', () => {
    const inner = { name: 'a' }
    deepFreeze(Object.freeze({ inner }))
    expect(Object.isFrozen(inner)).toBe(true)
  })

  it('comes to an end when objects refer to each other', () => {
    const parent: { child?: object } = {}
    const child = { parent }
    parent.child = child
    deepFreeze(parent)
    expect([parent, child].map((one) => Object.isFrozen(one))).toEqual([true, true])
  })

  it('freezes what lies deeper than functions can be called within each other', () => {
    interface Link {
      next?: Link
    }
    const first: Link = {}
    let last = first
    for (let count = 0; count < 100_000; count++) last = last.next = {}
    deepFreeze(first)
    expect(Object.isFrozen(last)).toBe(true)
  })

  it('freezes what maps hold', () => {
    const held = { name: 'a' }
    deepFreeze({ map: new Map([['a', held]]) })
    expect(Object.isFrozen(held)).toBe(true)
  })

  it('leaves bytes, dates and functions as they are', () => {
    const value = { bytes: new Uint8Array([1]), date: new Date(0), call: () => 1 }
    deepFreeze(value)
    value.bytes[0] = 2
    expect(value.bytes[0]).toBe(2)
    expect(Object.isFrozen(value.call)).toBe(false)
  })
})

describe('isPromiseLike', () => {
  it.each([
    ['a promise', Promise.resolve(1), true],
    ['an object with a then method', { then: () => undefined }, true],
    ['an object with a then property', { then: 1 }, false],
    ['a row', { ID: 1 }, false],
    ['null', null, false],
    ['a function', () => undefined, false],
  ])('tells %s', (_, value, expected) => {
    expect(isPromiseLike(value)).toBe(expected)
  })
})

describe('nextTurn', () => {
  it('lets what is waiting on the event loop go first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other'))
    await nextTurn()
    order.push('self')
    expect(order).toEqual(['other', 'self'])
  })
})
