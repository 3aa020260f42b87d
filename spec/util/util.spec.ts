import { deepFreeze } from '../../lib/edm/build/build-model.js'
import { isPromiseLike } from '../../lib/util/promise-or-value.js'
import { yieldToEventLoop } from '../../lib/util/time-slice.js'

describe('deepFreeze', () => {
  it('freezes objects and arrays recursively, and returns the value', () => {
    const value = { list: [{ name: 'a' }], nothing: null, number: 1 }
    expect(deepFreeze(value)).toBe(value)
    expect([value, value.list, value.list[0]].map((one) => Object.isFrozen(one))).toEqual([true, true, true])
  })

  it('freezes the members of frozen objects', () => {
    const inner = { name: 'a' }
    deepFreeze(Object.freeze({ inner }))
    expect(Object.isFrozen(inner)).toBe(true)
  })

  it('freezes objects that refer to each other', () => {
    const parent: { child?: object } = {}
    const child = { parent }
    parent.child = child
    deepFreeze(parent)
    expect([parent, child].map((one) => Object.isFrozen(one))).toEqual([true, true])
  })

  it('does not overflow the stack', () => {
    interface Link {
      next?: Link
    }
    const first: Link = {}
    let last = first
    for (let count = 0; count < 100_000; count++) last = last.next = {}
    deepFreeze(first)
    expect(Object.isFrozen(last)).toBe(true)
  })

  it('freezes the values of maps', () => {
    const held = { name: 'a' }
    deepFreeze({ map: new Map([['a', held]]) })
    expect(Object.isFrozen(held)).toBe(true)
  })

  it('does not freeze bytes and functions', () => {
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

describe('yieldToEventLoop', () => {
  it('runs pending callbacks first', async () => {
    const order: string[] = []
    setImmediate(() => order.push('other'))
    await yieldToEventLoop()
    order.push('self')
    expect(order).toEqual(['other', 'self'])
  })
})
