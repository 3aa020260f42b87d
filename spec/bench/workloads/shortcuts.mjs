/**
 * Measures that act on what the service does not own, such as the hidden classes of requests: each against a server
 * without it. One that does not reach its goal is removed.
 */
import { mediaWorkloads, servedFiles } from './media.mjs'
import { key } from './shop.mjs'
import { goal, ours } from './variants.mjs'

/** @param settings those of a server without the measure */
function shortcut({ name, ...workload }, title, variant, settings, ratio) {
  const without = {
    ...variant,
    name: `${variant.name}, without`,
    settings: { ...variant.settings, ...settings },
  }
  return {
    ...workload,
    name: `shortcut-${name}`,
    title,
    variants: [without, variant],
    goals: [goal(variant, ratio, without)],
  }
}

const media = mediaWorkloads.find(({ name }) => name === 'media-1mb')

/** `restoreHiddenClasses` before version 13 of V8, and `lib/util/chunk-pool.ts`. */
export const shortcuts = [
  shortcut(key, 'Entity by key with restored hidden classes', ours('memory'), { v8: '13.0' }, 1.2),
  shortcut(
    media,
    'Media resource of 1 MB with reused chunks',
    servedFiles('express'),
    { host: 'wrapped' },
    1.5,
  ),
]
