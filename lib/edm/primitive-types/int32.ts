import { integerType } from './integer.js'

/** @spec MS-ODATA 2.2.2 (Edm.Int32) */
export const int32Type = integerType('Edm.Int32')
