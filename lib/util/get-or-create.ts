interface MapLike<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** Returns the value of a key, which is created if the map does not have it. */
export function getOrCreate<K, V>(map: MapLike<K, V>, key: K, create: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = create()
    map.set(key, value)
  }
  return value
}

/** Returns a function that computes a value for each object at the first call, and returns it again at later calls. */
export function computeOnce<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { readonly value: Value }>()
  return (key) => getOrCreate(values, key, () => ({ value: compute(key) })).value
}

/** Groups items by a key, in their order. */
export function groupBy<K, Item>(items: Iterable<Item>, keyOf: (item: Item) => K): Map<K, Item[]> {
  const groups = new Map<K, Item[]>()
  for (const item of items) getOrCreate(groups, keyOf(item), (): Item[] => []).push(item)
  return groups
}
