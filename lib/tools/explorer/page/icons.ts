import { svg } from './dom.js'

const drawings = {
  folder: 'M1.5 4.5v8h13v-7h-6.5l-1.5-1.5h-5z',
  file: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3',
  image: 'M1.5 2.5h13v11h-13zM2 11.5l4-4 3 3 2-2 3.5 3.5M11 5.5h.01',
  text: 'M3.5 1.5h9v13h-9zM5.5 5h5M5.5 8h5M5.5 11h3',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.500 13.5h11',
} as const

export type Icon = keyof typeof drawings

/** A picture that says nothing which does not stand beside it. */
export function icon(name: Icon): SVGElement {
  return svg(
    'svg',
    { class: `icon ${name}`, viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true' },
    svg('path', { d: drawings[name] }),
  )
}
