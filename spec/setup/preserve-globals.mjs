import process from 'node:process'

/**
 * @returns a function that restores the global variables, the functions of `Date`, `JSON` and `Math`, `process.exit` and
 * the environment variables of now
 */
export function preserveGlobals() {
  const objects = [globalThis, Date, JSON, Math]
  const preserved = objects.map((object) => [object, Object.getOwnPropertyDescriptors(object)])
  const { exit } = process
  const env = { ...process.env }
  return () => {
    for (const [object, properties] of preserved) restoreProperties(object, properties)
    process.exit = exit
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
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
