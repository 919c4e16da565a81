import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sources } from '../sources.fixture.ts'

const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')

/** The names in rows of metrics. Some are put together with the name of a service or of a collection. */
const declared = sources.flatMap(({ code }) =>
  [...code.matchAll(/name: '((?:gatehouse|alertmanager|process)_\w+)'/g)].map(
    ([, name = '']) => name,
  ),
)

it('the page of metrics, which is generated, misses no metric that a source declares', () => {
  expect(declared.length).toBeGreaterThan(85)
  // A stream of changes is named by its beginning.
  expect(declared.filter((name) => !page.includes(`\`${name}`))).toEqual([])
})

it('metrics are declared as rows, in one form', () => {
  const isAside = sources.filter(
    ({ path, code }) =>
      !path.startsWith('core/src/metrics/') &&
      /\bmetrics\s*\.(?:counter|gauge|histogram|summary)\(/.test(code),
  )
  expect(isAside.map(({ path }) => path)).toEqual([])
})
