import { integerType } from './integer.js'

/** @spec MS-ODATA 2.2.2 (Edm.SByte) */
export const sByteType = integerType('Edm.SByte')
