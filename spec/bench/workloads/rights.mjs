/**
 * Reads with `authorize`, in relation to the same service without it. They do not select the column that `authorize`
 * hides: all responses are the same.
 */
import { batch, key } from './shop.mjs'
import { goal, ours } from './variants.mjs'

const select = '$select=ID,Name'

const keyed = { ...key, request: (n) => ({ ...key.request(n), path: `${key.request(n).path}?${select}` }) }

const batched = {
  ...batch,
  request: (n) => {
    const request = batch.request(n)
    return { ...request, body: request.body.replaceAll(' HTTP/1.1', `?${select} HTTP/1.1`) }
  },
}

const twenty = {
  name: 'page',
  title: 'Page of 20, JSON',
  request: (n) => ({
    path: `/shop/Products?$top=20&$skip=${(n * 37) % 5_000}&${select}`,
    headers: { accept: 'application/json' },
  }),
}

const names = {
  allow: 'allows everything',
  filter: 'filters rows',
  template: 'filters rows by a value',
  hidden: 'hides a column',
  async: 'is asynchronous',
}

/** @param wanted the lowest ratio for each kind of rights */
const rights = (workload, provider, wanted) => {
  const free = ours(provider)
  const variants = Object.entries(names).map(([name, title]) => ({
    ...free,
    name: `${free.name}, authorize ${title}`,
    settings: { ...free.settings, rights: name },
  }))
  return {
    ...workload,
    name: `rights-${workload.name}-${provider}`,
    title: `Rights: ${workload.title}, ${free.name}`,
    variants: [free, ...variants],
    goals: variants.map((variant) => goal(variant, wanted)),
  }
}

export const rightsWorkloads = ['sql', 'memory'].flatMap((provider) => [
  rights(keyed, provider, 0.95),
  rights(twenty, provider, 0.9),
  rights(batched, provider, 0.85),
])
