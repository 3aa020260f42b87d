import { readEdmx } from '../../../lib/csdl/read-edmx.js'
import type { FunctionImport, FunctionReturnType } from '../../../lib/edm/edm-model.js'
import { isPrimitive } from '../../../lib/edm/edm-model.js'
import { primitiveTypes } from '../../../lib/edm/primitive-types/primitive-types.js'
import type { Row } from '../../../lib/evaluation/row.js'
import { generateData } from '../../../lib/index.js'
import { generatedResult } from '../../../lib/tools/mock/generate-data.js'
import { everyConstruct } from '../../support/every-construct.js'
import { protocolModel } from '../../support/protocol-model.js'

const cases = [readEdmx(everyConstruct), protocolModel].flatMap((model) => {
  const data: Readonly<Record<string, readonly Row[]>> = generateData(model)
  return model.entityContainers
    .flatMap(({ functionImports }) => functionImports)
    .map((one) => [one.name, one, data[one.entitySet?.path ?? ''] ?? []] as const)
})

function isOfType(value: unknown, { type }: FunctionReturnType): boolean {
  if (isPrimitive(type)) return primitiveTypes[type].toOperand(value) !== undefined
  return typeof value === 'object'
}

const call = (one: FunctionImport, rows: readonly Row[], parameters: Row = {}): unknown =>
  generatedResult(one, parameters, rows)

describe('The generated result of a function import', () => {
  it.each(cases)('MUST be of its return type: %s', (_name, one, rows) => {
    const result = call(one, rows)
    const { returnType } = one
    if (returnType === undefined) expect(result).toBeUndefined()
    else if (returnType.isCollection) {
      expect(result).toBeInstanceOf(Array)
      for (const value of result as unknown[]) expect(isOfType(value, returnType)).toBe(true)
    } else expect(isOfType(result, returnType)).toBe(true)
  })

  it.each(cases)('MUST be the same for the same call: %s', (_name, one, rows) => {
    expect(call(one, rows, { a: 1 })).toEqual(call(one, rows, { a: 1 }))
  })

  it('MUST be the entity whose key the parameters name', () => {
    const single = cases.find(
      ([, { returnType }]) =>
        returnType !== undefined &&
        !returnType.isCollection &&
        !isPrimitive(returnType.type) &&
        returnType.type.kind === 'EntityType',
    )
    const [, one, rows] = single ?? cases[0] ?? []
    const wanted = rows?.[3]
    expect(one !== undefined && wanted !== undefined && call(one, rows ?? [], wanted)).toBe(wanted)
  })
})
