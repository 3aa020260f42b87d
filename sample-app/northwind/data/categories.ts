import type { Colour } from './identicon.js'
import { identicon } from './identicon.js'

const shelves: readonly (readonly [name: string, description: string | null, colour: Colour])[] = [
  ['Drinks', 'Coffee, tea, lemonade, beer and what else is poured', [121, 72, 36]],
  ['Sauces and spices', 'Mustard, chutney, oil & vinegar, salt and everything hot', [188, 61, 32]],
  ['Sweets', 'Chocolate, biscuits, marzipan; "a little something" for the afternoon', [199, 70, 124]],
  ['Cheese and milk', 'From soft to very hard, and from mild to <strong>', [214, 168, 49]],
  ['Bread and pasta', 'Crispbread, noodles, flour and oats', [158, 129, 82]],
  ['Meat and sausages', 'Dried, smoked and in tins', [142, 44, 49]],
  ['Fruit and vegetables', 'Fresh where it can be, else dried or pickled', [74, 132, 58]],
  ['From the sea', null, [42, 96, 143]],
]

/** The rows of Categories. */
export const categories = shelves.map(([CategoryName, Description, colour], index) => ({
  CategoryID: index + 1,
  CategoryName,
  Description,
  // One shelf has not been photographed yet.
  Picture: index === 6 ? null : identicon(100 + index, colour, 2),
}))
