import type { ModelErrors } from '../../edm/build/model-error.js'
import { getOrCreate } from '../../util/get-or-create.js'
import type { XmlElement } from '../../xml/xml-element.js'
import type { V4Document } from './v4-document.js'
import { V4Types } from './v4-types.js'

/** Shares the document, its types and the notices between the builders of the parts of a V2 model. */
export class V4Context {
  readonly types: V4Types
  readonly annotations: ReadonlyMap<string, readonly XmlElement[]>
  readonly notices: string[]
  /** The targets in the V2 model by those in the document. */
  readonly targets = new Map<string, string[]>()

  constructor(
    readonly document: V4Document,
    readonly errors: ModelErrors,
  ) {
    this.types = new V4Types(document, errors)
    this.annotations = document.annotations
    this.notices = errors.notices
  }

  /** Reports what the V2 model lacks. */
  notice(place: string, message: string): void {
    this.notices.push(`${place} ${message}.`)
  }

  /** Preserves the annotations of an element under its name in the V2 model. */
  keepAnnotations(target: string, v2Target: string): void {
    const targets = getOrCreate(this.targets, target, (): string[] => [])
    if (!targets.includes(v2Target)) targets.push(v2Target)
  }
}
