/**
 * Express changes the prototypes of each request and response. Before its version 13, V8 gives an object to which that
 * was done a shape of its own with every property that is added later, so that nobody who looks at it, Node above all,
 * finds there what was learned from those before: most of the time of a small answer goes into that. What has lost a
 * property becomes a table of its properties, and such tables share a shape again.
 */
const areShapesLost = Number.parseInt(process.versions.v8, 10) < 13

const unchanged = new WeakSet<object>()

/** Responses are born with this prototype: their shapes are as good as any. */
export function areBornWith(prototype: object): void {
  unchanged.add(prototype)
}

/** Express has each of them refer to the other one, so that there always is a property to take away and put back. */
interface Express {
  readonly req: { res?: unknown }
  readonly res: { req: unknown }
}

/** Makes requests and responses of Express as quick to look at as V8 can, for whoever looks from now on. */
export function shareShapes(req: Express['req'], res: Express['res']): void {
  if (!areShapesLost || req.res !== res || unchanged.has(Object.getPrototypeOf(res) as object)) return
  Reflect.deleteProperty(req, 'res')
  req.res = res
  Reflect.deleteProperty(res, 'req')
  res.req = req
}
