import { readEdmx } from 'express-odata-v2'
import { northwindEdmx } from './northwind-edmx.js'

export { northwindData } from './northwind-data.js'
export { northwindFunctions } from './northwind-functions.js'

/**
 * The catalogue: a wholesaler of food with everything that a model of version 2 can hold.
 *
 * @example
 * const provider = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
 * app.use('/northwind', odataV2(northwindModel, provider))
 */
export const northwindModel = readEdmx(northwindEdmx)
