import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sources } from '../sources.fixture.ts'

const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')

/** The names that are written out where a metric is declared. Some are put together there. */
const declared = sources.flatMap(({ code }) =>
  [...code.matchAll(/name: '((?:gatehouse|alertmanager|process)_\w+)'/g)].map(
    ([, name = '']) => name,
  ),
)

it('the page of metrics, which is generated, misses no metric that a source declares', () => {
  expect(declared.length).toBeGreaterThan(40)
  // A stream of changes is named by its beginning.
  expect(declared.filter((name) => !page.includes(`\`${name}`))).toEqual([])
})
