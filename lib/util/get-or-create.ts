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

/** Groups items by a key, in their order. */
export function groupBy<K, Item>(items: Iterable<Item>, keyOf: (item: Item) => K): Map<K, Item[]> {
  const groups = new Map<K, Item[]>()
  for (const item of items) getOrCreate(groups, keyOf(item), (): Item[] => []).push(item)
  return groups
}
