import { integerType } from './integer.js'

/** @spec MS-ODATA 2.2.2 (Edm.Int16) */
export const int16Type = integerType('Edm.Int16')
