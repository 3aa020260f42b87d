import { integerType } from './integer.js'

/** @spec MS-ODATA 2.2.2 (Edm.Int32) */
export const int32Type = integerType('Edm.Int32', -2_147_483_648, 2_147_483_647)
