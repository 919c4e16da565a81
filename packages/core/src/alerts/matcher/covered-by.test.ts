import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { labelSetFromObject } from '../alert/label-set.ts'
import { isCoveredBy } from './covered-by.ts'
import { matchesAll } from './matcher.ts'
import { parseMatchers } from './matcher-syntax.ts'

const read = (text: string) => parseMatchers(`{${text}}`, 'utf8')

it.each([
  ['team="db"', 'team="db"', true],
  ['team="db", severity="page"', 'team="db"', true],
  ['team="db"', '', true],
  ['', 'team="db"', false],
  ['severity="page"', 'team="db"', false],
  ['team="db2"', 'team="db"', false],
  ['team="db-eu"', 'team=~"db-.*"', true],
  ['team="web"', 'team=~"db-.*"', false],
  ['team=~"db-.*"', 'team=~"db-.*"', true],
  ['team=~"db-eu|db-us"', 'team=~"db-.*"', true],
  ['team=~"db-eu|web"', 'team=~"db-.*"', false],
  ['team=~"db-e.*"', 'team=~"db-.*"', false],
  ['team=~".*"', 'team="db"', false],
  ['team!="web"', 'team="db"', false],
  ['team!~"web|db"', 'team=~"db"', false],
  ['team="db"', 'team!="web"', true],
  ['team="web"', 'team!="web"', false],
  ['team="db"', 'team!~"web|test"', true],
  ['team!="web"', 'team!="web"', true],
  ['team=""', 'team="db"', false],
  ['team=""', 'team=~"|db"', true],
  ['team="db", env="test"', 'team="db", env="prod"', false],
  ['team="db", env="prod"', 'team="db", env=~"prod|stage"', true],
])('{%s} is covered by {%s}: %s', (matchers, limits, expected) => {
  expect(isCoveredBy(read(matchers), read(limits))).toBe(expected)
})

it('is never true for matchers that match something outside of the limits', () => {
  const value = fc.constantFrom('', 'a', 'b', 'ab')
  const matcher = fc
    .tuple(
      fc.constantFrom('x', 'y'),
      fc.constantFrom('=', '!=', '=~', '!~'),
      fc.constantFrom('', 'a', 'b', 'a|b', 'a.*', '.*', '.+', 'a?', '(a|)b'),
    )
    .map(([name, operator, text]) => `${name}${operator}"${text}"`)
  const matchers = fc.array(matcher, { maxLength: 3 }).map((some) => read(some.join(', ')))
  fc.assert(
    fc.property(matchers, matchers, value, value, (narrow, limits, x, y) => {
      const labels = labelSetFromObject({ x, y })
      if (isCoveredBy(narrow, limits) && matchesAll(narrow, labels)) {
        expect(matchesAll(limits, labels)).toBe(true)
      }
    }),
    { numRuns: runsOf(300) },
  )
})
