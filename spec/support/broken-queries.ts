import type { Violation } from './broken-proxy.js'
import { filter, json, option, replaced, text, withoutOption } from './server-faults.js'

/** A bug of a server, and the check that must find it. */
export type BrokenServer = readonly [check: string, what: string, error: Violation]

/** Bugs in the meaning of query options. */
export const brokenQueries: readonly BrokenServer[] = [
  ['ODATA-QUERY-001', '$top is overlooked', withoutOption('$top')],
  ['ODATA-QUERY-002', '$skip is overlooked', withoutOption('$skip')],
  [
    'ODATA-QUERY-002',
    '$skip counts from one',
    option('$skip', (value) => String(Math.max(0, Number(value) - 1))),
  ],
  ['ODATA-QUERY-010', '$orderby is overlooked', withoutOption('$orderby')],
  ['ODATA-QUERY-011', 'desc is overlooked', option('$orderby', (value) => value.replaceAll(' desc', ''))],
  [
    'ODATA-QUERY-013',
    'the second term of $orderby is overlooked',
    option('$orderby', (value) => value.replace(/,.*/, '')),
  ],
  ['ODATA-QUERY-020', '$format is overlooked', withoutOption('$format')],
  ['ODATA-QUERY-030', '$top below zero is taken for none', option('$top', (value) => value.replace('-', ''))],
  ['ODATA-FILTER-001', '$filter is overlooked', withoutOption('$filter')],
  ['ODATA-FILTER-004', 'le leaves out what is equal', filter(/ le /g, ' lt ')],
  [
    'ODATA-FILTER-008',
    'or binds as tightly as and',
    filter(/^([^()]+ or [^()]+) and ([^()]+)$/, '($1) and $2'),
  ],
  ['ODATA-FILTER-010', 'mod divides', filter(/ mod /g, ' div ')],
  ['ODATA-FILTER-012', 'arithmetic goes from the left to the right', filter(/^(\w+ add 2) mul/, '($1) mul')],
  ['ODATA-FILTER-013', 'the sign of a property is lost', filter(/^-/, '')],
  ['ODATA-FILTER-014', 'the fraction of decimals is lost', filter(/(\d+)\.\d+M/g, '$1M')],
  [
    'ODATA-FILTER-015',
    'decimals are calculated as whole numbers',
    filter(/^(\w+) (add|mul)/, 'floor($1) $2'),
  ],
  [
    'ODATA-FILTER-017',
    'texts are compared without case',
    filter(/^(\w+) eq ('.*')$/, 'tolower($1) eq tolower($2)'),
  ],
  [
    'ODATA-FILTER-020',
    'the time of dates is lost',
    filter(/datetime'([^T']+)T[^']*'/g, "datetime'$1T00:00:00'"),
  ],
  ['ODATA-FILTER-022', 'false is never found', filter(/ eq false/, ' eq true')],
  [
    'ODATA-FILTER-025',
    'long numbers are rounded',
    filter(/(\d{10,})L/, (_all = '', digits = '') => `${digits.slice(0, -3)}000L`),
  ],
  ['ODATA-NULL-001', 'ne null is always true', filter(/^\w+ ne null$/, 'true')],
  ['ODATA-NULL-002', 'null is less than all numbers', filter(/^(\w+) le (\S+)$/, '($1 le $2 or $1 eq null)')],
  [
    'ODATA-NULL-003',
    'null is not different from a value',
    filter(/^(\w+) ne (\d\S*)$/, '($1 ne $2 and $1 ne null)'),
  ],
  [
    'ODATA-NULL-004',
    'not of an unknown comparison is unknown',
    filter(/^not \((\w+) gt (\S+)\)$/, '$1 le $2'),
  ],
  ['ODATA-NULL-005', 'null counts as zero', filter(/^(\w+) add 1 eq null$/, 'false')],
  [
    'ODATA-FUNC-001',
    'substringof takes the whole first',
    filter(/substringof\(([^,]+),([^)]+)\)/, 'substringof($2,$1)'),
  ],
  [
    'ODATA-FUNC-002',
    'startswith looks everywhere',
    filter(/startswith\(([^,]+),([^)]+)\)/, "indexof($1,'o') ge 0"),
  ],
  ['ODATA-FUNC-004', 'length counts one more', filter(/length\(\w+\)/, '$& add 1')],
  ['ODATA-FUNC-005', 'indexof counts from one', filter(/indexof\([^)]*\)/, '$& add 1')],
  ['ODATA-FUNC-006', 'substring counts from one', filter(/substring\((\w+),1\)/, 'substring($1,0)')],
  ['ODATA-FUNC-008', 'replace does nothing', filter(/replace\((\w+),.*\) eq/, '$1 eq')],
  ['ODATA-FUNC-010', 'tolower does nothing', filter(/tolower\((\w+)\)/, '$1')],
  ['ODATA-FUNC-012', 'trim does nothing', filter(/trim\((.*)\) eq/, '$1 eq')],
  ['ODATA-FUNC-021', 'months count from zero', filter(/month\(\w+\)/, '$& sub 1')],
  ['ODATA-FUNC-030', 'round is floor', filter(/round\(/, 'floor(')],
  ['ODATA-EXPAND-001', '$expand is overlooked', withoutOption('$expand')],
  ['ODATA-EXPAND-003', 'm:inline is left out', replaced(/<m:inline>.*<\/m:inline>/s, '')],
  [
    'ODATA-EXPAND-004',
    'navigation properties are not shown',
    json((value) => (isDeferred(value) ? undefined : value)),
  ],
  ['ODATA-SELECT-001', '$select is overlooked', withoutOption('$select')],
  [
    'ODATA-SELECT-003',
    'paths in $select are overlooked',
    option('$select', (value) => value.replace(/\/\w+/, '')),
  ],
  ['ODATA-COUNT-001', '__count counts the page', countOfPage()],
  [
    'ODATA-COUNT-002',
    '__count counts one too many',
    json((value, name) => (name === '__count' ? String(Number(value) + 1) : value)),
  ],
  ['ODATA-COUNT-005', 'm:count is left out', replaced(/<m:count>\d+<\/m:count>/, '')],
  [
    'ODATA-COUNT-010',
    '$count counts one too many',
    text((body, { url }) => (url.includes('$count') ? String(Number(body) + 1) : body)),
  ],
  ['ODATA-COUNT-012', '$count overlooks $filter', withoutOption('$filter')],
  [
    'ODATA-PAGE-001',
    'each page begins with the last entity of the one before',
    option('$skiptoken', oneLess),
  ],
  ['ODATA-PAGE-001', 'each page leaves out one entity', option('$skiptoken', oneMore)],
  [
    'ODATA-PAGE-002',
    'next links lose $orderby',
    replaced(/\$orderby=[^&"]*(?:&amp;|&)(?=[^"]*skiptoken)/g, ''),
  ],
  [
    'ODATA-PAGE-003',
    'next links lose $filter',
    replaced(/\$filter=[^&"]*(?:&amp;|&)(?=[^"]*skiptoken)/g, ''),
  ],
  ['ODATA-PAGE-004', 'next links begin $top again', replaced(/\$top=\d+(?=[^"]*skiptoken)/g, '$top=500')],
  ['ODATA-PAGE-005', 'feeds in Atom have no next link', replaced(/<link rel="next"[^>]*>/, '')],
]

function isDeferred(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '__deferred' in value
}

function oneLess(token: string): string {
  return token.replace(/\d+$/, (digits) => String(Number(digits) - 1))
}

function oneMore(token: string): string {
  return token.replace(/\d+$/, (digits) => String(Number(digits) + 1))
}

function countOfPage(): Violation {
  return {
    response: (response) => {
      const body = response.body.toString('utf8')
      const rows = body.split('"__metadata"').length - 1
      if (body.includes('"__count"'))
        response.body = Buffer.from(body.replace(/"__count":"\d+"/, `"__count":"${rows}"`))
    },
  }
}
