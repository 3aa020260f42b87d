import express from 'express'
import { odataV2 } from '../lib/index.js'
import { exampleData, exampleModel, exampleProvider } from './support/services/example-service.js'
import { withHandlers } from './support/with-handlers.js'

/** Accepts arguments of the wrong types, as JavaScript callers can pass them. */
const start = odataV2 as (model: unknown, provider: unknown, options?: unknown) => unknown

const sets = Object.fromEntries(Object.keys(exampleData).map((name) => [name, { read: () => [] }]))

describe('odataV2', () => {
  it('MUST return a router of Express', () => {
    const service = start(exampleModel, exampleProvider())
    expect(typeof service).toBe('function')
    expect(() => express().use('/n', service as express.Router)).not.toThrow()
  })

  it.each([
    ['<edmx:Edmx/>', exampleProvider(), 'To parse EDMX, use readEdmx(text).'],
    [{ namespace: 'S', entityTypes: {} }, exampleProvider(), 'use defineModel({ … }).'],
    [exampleProvider(), exampleModel, 'the arguments are swapped: the first must be the model'],
    [exampleModel, { entitySet: {} }, "It has 'entitySet'. Did you mean 'entitySets'?"],
    [exampleModel, { Products: [] }, 'These are rows: memoryProvider(model, { Products: [ … ] }).'],
    [exampleModel, { Products: { read: () => [] } }, 'one level deeper: { entitySets: { Products: … } }.'],
  ])('MUST suggest a correction of %p, %p', (model, provider, hint) => {
    expect(() => start(model, provider)).toThrow(hint)
  })

  it.each([undefined, null, {}, 'model.edmx', { kind: 'Model' }, exampleProvider()])(
    'MUST reject %p as a model',
    (model) => {
      expect(() => start(model, exampleProvider())).toThrow(
        new TypeError('odataV2: the first argument must be a model created by defineModel or readEdmx.'),
      )
    },
  )

  it.each([
    undefined,
    null,
    {},
    [],
    'provider',
    { entitySets: null },
    { Products: { read: () => [] } },
    exampleData,
  ])('MUST reject %p as a provider, and describe a provider', (provider) => {
    expect(() => start(exampleModel, provider)).toThrow(TypeError)
    expect(() => start(exampleModel, provider)).toThrow(
      /second argument must be a provider: \{ entitySets: \{ Name: \{ read \} \} \}/,
    )
  })

  it.each([
    [{ ...sets, Products: undefined }, "entitySets.Products is missing; at least its 'read' is needed."],
    [{ ...sets, Products: [] }, "entitySets.Products must be an object with a method 'read'."],
    [{ ...sets, Products: { read: 'SELECT' } }, 'entitySets.Products.read must be a function.'],
    [{ ...sets, Products: () => [] }, "entitySets.Products must be an object with a method 'read'."],
    [
      { ...sets, Product: { read: () => [] } },
      "The model has no entity set 'Product'. Did you mean 'Products'?",
    ],
    [
      { ...sets, Products: { read: () => [], readByKeys: () => null } },
      "entitySets.Products.readByKeys is not a member of a provider. Did you mean 'readByKey'?",
    ],
  ])('MUST reject a provider whose sets do not fit: %#', (entitySets, message) => {
    expect(() => start(exampleModel, { entitySets })).toThrow(TypeError)
    expect(() => start(exampleModel, { entitySets })).toThrow(message)
  })

  it.each([
    [{ Totals: () => 5 }, "The model has no function import 'Totals'. Did you mean 'Total'?"],
    [{ Total: 5 }, 'functions.Total must be a function.'],
    [[], 'functions must be an object with a handler for each function import.'],
    ['Total', 'functions must be an object with a handler for each function import.'],
  ])('MUST reject functions that do not fit: %j', (functions, message) => {
    expect(() => start(exampleModel, { entitySets: sets, functions })).toThrow(message)
  })

  it('MUST report all problems together', () => {
    const entitySets = { ...sets, Products: {}, Categorie: {}, Lines: undefined }
    try {
      start(exampleModel, withHandlers({ entitySets, functions: { Bst: () => null } }, exampleModel))
      throw new Error('It has started.')
    } catch (error) {
      const { message } = error as Error
      expect(message.split('\n')).toHaveLength(5)
      for (const part of ['Products', "Did you mean 'Categories'?", 'Lines', "Did you mean 'Best'?"]) {
        expect(message).toContain(part)
      }
    }
  })

  it('MUST accept a class instance as a provider', () => {
    class Products {
      read(): unknown[] {
        return []
      }
    }
    expect(() =>
      start(exampleModel, withHandlers({ entitySets: { ...sets, Products: new Products() } }, exampleModel)),
    ).not.toThrow()
  })
})
