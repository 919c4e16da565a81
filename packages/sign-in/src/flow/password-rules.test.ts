import { expect, it } from 'vitest'
import { rulesOf, strengthOf } from './password-rules.ts'

const history = { enabled: false }

it('says which rules a password meets as it is typed', () => {
  const policy = {
    minimum_length: 8,
    uppercase_required: true,
    digit_required: true,
    symbol_required: true,
    excluded_keywords: ['harbor'],
    minimum_zxcvbn_score: 3,
    history: { enabled: true },
  } as const
  const met = (password: string) =>
    Object.fromEntries(rulesOf(policy, password).map(({ key, isMet }) => [key, isMet]))
  expect(met('')).toEqual({
    'policy.length': false,
    'policy.upper': false,
    'policy.digit': false,
    'policy.symbol': false,
    'policy.excluded': false,
    'policy.strength': undefined,
    'policy.history': undefined,
  })
  expect(met('Ärger-2026')).toMatchObject({
    'policy.length': true,
    'policy.upper': true,
    'policy.digit': true,
    'policy.symbol': true,
    'policy.excluded': true,
  })
  expect(met('my HARBOR 1')).toMatchObject({ 'policy.excluded': false })
})

it('counts characters as people do', () => {
  const [rule] = rulesOf({ minimum_length: 4, history }, '🦆🦆🦆')
  expect(rule).toEqual({ key: 'policy.length', count: 4, isMet: false })
})

it.each([
  ['', 0],
  ['aaaaaaaaaaaa', 0],
  ['password', 0],
  ['qwertyuiop', 0],
  ['abcdefgh1234', 0],
  ['tidal-lantern-42', 4],
  ['correct horse battery', 4],
])('estimates how hard "%s" is to guess as %d', (password, strength) => {
  expect(strengthOf(password)).toBe(strength)
})
