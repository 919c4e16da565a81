import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { formatMatcher, readMatchers } from '../src/alerts/matchers.ts'

interface Vector {
  readonly input: string
  readonly matchers?: readonly { name: string; op: string; value: string }[]
  readonly error?: string
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../core/vectors/alerts/matchers-utf8.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly Vector[] }

/** Errors that only the server finds. */
const isOfTheServer = (error: string): boolean => /regexp|invalid UTF-8/.test(error)

describe('readMatchers', () => {
  it.each(cases.map((one) => [one.input, one] as const))(
    'reads %j as Alertmanager does',
    (input, one) => {
      const { matchers, problem } = readMatchers(input)
      if (one.error !== undefined && !isOfTheServer(one.error)) {
        expect(problem).toBeDefined()
        return
      }
      if (one.matchers === undefined) return
      const expected = one.matchers.map(({ name, op, value }) => ({
        name,
        value,
        isRegex: op.endsWith('~'),
        isEqual: op.startsWith('='),
      }))
      expect(matchers).toEqual(expected)
      const text = `{${expected.map(formatMatcher).join(',')}}`
      expect(readMatchers(text)).toEqual({ matchers: expected })
    },
  )

  it('says what it expected, and where', () => {
    expect(readMatchers('{team="db", =x}').problem).toEqual({ expected: 'name', from: 12, to: 14 })
    expect(readMatchers('team db').problem).toEqual({ expected: 'operator', from: 5, to: 7 })
    expect(readMatchers('team=').problem).toEqual({ expected: 'value', from: 5, to: 5 })
    expect(readMatchers('a=b c=d').problem).toEqual({ expected: 'comma', from: 4, to: 7 })
    expect(readMatchers('{a=b').problem).toEqual({ expected: 'brace', from: 4, to: 4 })
    expect(readMatchers('a=b}').problem).toEqual({ expected: 'comma', from: 3, to: 4 })
  })
})
