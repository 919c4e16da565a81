import { describe, expect, it } from 'vitest'
import { readHookAnswer } from './hook-answer.ts'

const circle: Record<string, unknown> = {}
circle.circle = circle
let deep: unknown = 'deep'
for (let level = 0; level < 20_000; level++) deep = { deep }

describe('the answer of a hook', () => {
  it('is read with all its members', () => {
    const answer = {
      is_allowed: true,
      mutations: {
        user: { standard_attributes: { name: 'Maya' }, custom_attributes: { x_seats: [1, null] } },
      },
      constraints: { amr: ['mfa'] },
      rate_limits: { 'authentication.general': { weight: 2.5 } },
      bot_protection: { mode: 'always' },
    }
    expect(readHookAnswer(answer)).toEqual({ answer })
  })

  it('may have unknown members, and undefined ones', () => {
    const given = { is_allowed: false, title: 'No', reason: undefined, audit: 17, at: new Date(0) }
    expect(readHookAnswer(given)).toEqual({ answer: { is_allowed: false, title: 'No' } })
  })

  it.each([
    [undefined, ''],
    [null, ''],
    ['yes', ''],
    [[], ''],
    [() => true, ''],
    [circle, ''],
    [{ is_allowed: true, mutations: { user: { custom_attributes: { x_deep: deep } } } }, ''],
    [{}, '/is_allowed'],
    [{ is_allowed: 1 }, '/is_allowed'],
    [{ is_allowed: true, title: 1 }, '/title'],
    [{ is_allowed: true, mutations: [] }, '/mutations'],
    [
      { is_allowed: true, mutations: { user: { standard_attributes: [] } } },
      '/mutations/user/standard_attributes',
    ],
    [{ is_allowed: true, constraints: { amr: 'mfa' } }, '/constraints/amr'],
    [{ is_allowed: true, constraints: { amr: [1] } }, '/constraints/amr/0'],
    [{ is_allowed: true, rate_limits: { a: 2 } }, '/rate_limits/a'],
    [{ is_allowed: true, rate_limits: { a: { weight: '2' } } }, '/rate_limits/a/weight'],
    [{ is_allowed: true, rate_limits: { a: { weight: Number.NaN } } }, '/rate_limits/a/weight'],
    [
      { is_allowed: true, rate_limits: { a: { weight: Number.POSITIVE_INFINITY } } },
      '/rate_limits/a/weight',
    ],
    [{ is_allowed: true, bot_protection: { mode: 'sometimes' } }, '/bot_protection/mode'],
  ])('is refused with the places of its mistakes: case %#', (given, place) => {
    expect(readHookAnswer(given)).toEqual({ problems: [place] })
  })
})
