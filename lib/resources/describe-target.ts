import type { TargetDescription } from '../diagnostics/request-observation.js'
import type { FunctionImport } from '../edm/edm-model.js'
import type { RequestTarget } from '../query/request-target.js'
import { calledFunction } from '../query/request-target.js'

/** Describes the target of a request for events and metrics, with low cardinality. */
export function describeTarget(target: RequestTarget, method: string): TargetDescription {
  const called = calledFunction(target)
  return {
    kind: target.kind,
    entitySet: entitySetOf(target),
    functionImport: called?.path,
    operation: operationOf(target, method, called),
  }
}

function operationOf(
  target: RequestTarget,
  method: string,
  called: FunctionImport | undefined,
): TargetDescription['operation'] {
  if (called !== undefined) return 'call'
  if (target.kind === 'Batch') return 'batch'
  switch (method) {
    case 'GET':
    case 'HEAD':
      return 'read'
    case 'POST':
      return 'create'
    case 'DELETE':
      return 'delete'
    case 'OPTIONS':
      return undefined
    default:
      return 'update'
  }
}

function entitySetOf(target: RequestTarget): string | undefined {
  switch (target.kind) {
    case 'EntitySet':
      return target.collection.set.path
    case 'Entity':
    case 'MediaResource':
      return target.entity.set.path
    case 'EntityCount':
      return target.of.set.path
    case 'Links':
      return target.linked.set.path
    case 'ComplexProperty':
    case 'SimpleProperty':
    case 'PropertyValue':
      return target.owner.kind === 'ReturnedValue' ? undefined : target.owner.set.path
    default:
      return undefined
  }
}
