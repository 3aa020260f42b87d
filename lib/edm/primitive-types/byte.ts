import { integerType } from './integer.js'

/** @spec MS-ODATA 2.2.2 (Edm.Byte) */
export const byteType = integerType('Edm.Byte')
