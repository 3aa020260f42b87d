import { readEdmx } from 'express-odata-v2'
import { northwindEdmx } from './northwind-edmx.js'

export { northwindData } from './northwind-data.js'
export { northwindFunctions } from './northwind-functions.js'

/**
 * The catalogue of a food wholesaler. Its model contains every construct of CSDL 2.0.
 *
 * @example
 * const provider = memoryProvider(northwindModel, northwindData, { functions: northwindFunctions })
 * app.use('/northwind', odataV2(northwindModel, provider))
 */
export const northwindModel = readEdmx(northwindEdmx)
