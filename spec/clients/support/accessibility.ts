import axe from 'axe-core'
import type { Page } from 'playwright-core'

const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Returns the violations of WCAG 2.2 AA on a page: the rule, and the beginning of the element. */
export async function violationsOn(page: Page): Promise<string[]> {
  const options = { runOnly: { type: 'tag', values: WCAG_22_AA }, resultTypes: ['violations'] }
  // The content security policy of the page does not allow a script element.
  const { violations } = (await page.evaluate(
    `(() => { ${axe.source} })(), axe.run(document, ${JSON.stringify(options)})`,
  )) as axe.AxeResults
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
