import type { RequestListener, Server, ServerOptions } from 'node:http'
import { IncomingMessage, ServerResponse, createServer as createPlainServer } from 'node:http'
import { Socket } from 'node:net'
import { isRecord } from '../util/is-record.js'

/** What is needed of an application of Express: it gives its requests and responses these two prototypes. */
export interface ExpressApplication extends RequestListener {
  readonly request: object
  readonly response: object
}

/**
 * A server for an application of Express, as `http.createServer(app)` makes it, that needs a fraction of the time for
 * small answers on Node 20 and 22.
 *
 * Express changes the prototypes of every request and response, which is what most of its time goes into there. Here
 * they are born with the prototypes of the application, so that nothing is left to change. Answers are the same.
 *
 * @param app what `express()` returns
 * @param options those of `http.createServer`; classes of your own for requests or responses are used as they are
 * @returns a server that does not listen yet
 * @throws TypeError when it is given something else than an application of Express
 * @example
 * const app = express()
 * app.use('/v1/files', odataV2(fileModel, fileProvider('./public')))
 * createServer(app).listen(4004)
 */
export function createServer(app: ExpressApplication, options: ServerOptions = {}): Server {
  checkApplication(app)
  return createPlainServer({ ...classesOf(app), ...options }, app)
}

/** None where Node's own classes cannot be built upon so: then Express does as it always does. */
function classesOf({ request, response }: ExpressApplication): ServerOptions {
  const Request = classWithPrototype(request, IncomingMessage)
  const Response = classWithPrototype(response, ServerResponse)
  try {
    const made = new Response(new Request(new Socket()))
    if (!(made instanceof ServerResponse)) return {}
    ownPrototypes.add(response)
    return { IncomingMessage: Request, ServerResponse: Response }
  } catch {
    return {}
  }
}

/**
 * A class whose objects are made as those of another one, and have exactly this prototype. The prototype of a class
 * that extends another cannot be chosen, and `Reflect.construct` costs more on Node 20 than is won.
 */
function classWithPrototype<Class extends new (...given: never[]) => object>(
  prototype: object,
  parent: Class,
): Class {
  function Born(this: object, ...given: unknown[]): void {
    Reflect.apply(parent, this, given)
  }
  Born.prototype = prototype
  // As it stands in stack traces.
  Object.defineProperty(Born, 'name', { value: parent.name })
  return Object.setPrototypeOf(Born, parent) as Class
}

function checkApplication(app: unknown): void {
  const isApplication =
    typeof app === 'function' && 'request' in app && 'response' in app && isRecord(app.request)
  if (!isApplication || !isRecord(app.response)) {
    throw new TypeError(
      'createServer: the first argument must be an application of Express, as express() makes it.',
    )
  }
}

/** Before version 13, V8 gives an object whose prototype was changed a new hidden class for every property added later. */
const losesHiddenClasses = Number.parseInt(process.versions.v8, 10) < 13

/** Prototypes of responses that {@link createServer} creates: their hidden classes are shared from the start. */
const ownPrototypes = new WeakSet<object>()

/** Express links request and response, so there always is a property to delete and add again. */
interface Express {
  readonly req: { res?: unknown }
  readonly res: { req: unknown }
}

/**
 * Restores shared hidden classes of a request and a response whose prototypes Express has changed. An object that has
 * lost a property is a dictionary, and dictionaries share their hidden class, so that the inline caches of Node work
 * again: without them, most of the time of a small response is spent on looking up properties.
 */
export function restoreHiddenClasses(req: Express['req'], res: Express['res']): void {
  if (!losesHiddenClasses || req.res !== res || ownPrototypes.has(Object.getPrototypeOf(res) as object))
    return
  Reflect.deleteProperty(req, 'res')
  req.res = res
  Reflect.deleteProperty(res, 'req')
  res.req = req
}
