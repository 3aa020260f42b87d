import { EventEmitter } from 'node:events'
import process from 'node:process'

const classes = [
  Object,
  Function,
  Array,
  String,
  Number,
  RegExp,
  Date,
  Error,
  Promise,
  Map,
  Set,
  Buffer,
  EventEmitter,
]
const objects = [globalThis, Date, JSON, Math, ...classes.map(({ prototype }) => prototype)]

/**
 * @returns a function that restores the present global variables, functions of `Date`, `JSON`, `Math` and of prototypes,
 * `process.exit`, listeners of `process` and environment variables
 */
export function preserveGlobals() {
  const preserved = objects.map((object) => [object, Object.getOwnPropertyDescriptors(object)])
  const { exit } = process
  const listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]))
  const env = { ...process.env }
  return () => {
    for (const [object, properties] of preserved) restoreProperties(object, properties)
    process.exit = exit
    removeNewListeners(listeners)
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
  }
}

function removeNewListeners(present) {
  for (const event of process.eventNames()) {
    for (const listener of process.rawListeners(event))
      if (!present.get(event)?.includes(listener)) process.removeListener(event, listener)
  }
}

function restoreProperties(object, properties) {
  // Jest's `expect` defines a property that cannot be deleted, and uses it again.
  for (const key of Reflect.ownKeys(object))
    if (!Object.hasOwn(properties, key)) Reflect.deleteProperty(object, key)
  for (const key of Reflect.ownKeys(properties)) {
    const present = Object.getOwnPropertyDescriptor(object, key)
    const { value, get } = properties[key]
    if (present?.value !== value || present?.get !== get) Reflect.defineProperty(object, key, properties[key])
  }
}
