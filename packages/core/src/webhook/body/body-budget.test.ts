import { expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

it('a budget never exceeds its limit', () => {
  const budget = createBodyBudget(() => 100)
  const [first, second] = [budget.open(), budget.open()]
  expect([first.resize(60), second.resize(41), second.resize(40)]).toEqual([true, false, true])
  expect([first.resize(61), second.resize(41), budget.open().resize(1)]).toEqual([
    false,
    false,
    false,
  ])
})

it('released bytes can be taken again, and releasing them twice counts once', () => {
  const budget = createBodyBudget(() => 100)
  const [first, second] = [budget.open(), budget.open()]
  expect([first.resize(100), first.resize(70), second.resize(31)]).toEqual([true, true, false])
  expect(second.resize(30)).toBe(true)
  first.release()
  first.release()
  expect([second.resize(101), second.resize(100), first.resize(1)]).toEqual([false, true, false])
})

it('a lower limit takes nothing away from existing holds', () => {
  let limit = 100
  const budget = createBodyBudget(() => limit)
  const [first, second] = [budget.open(), budget.open()]
  expect(first.resize(80)).toBe(true)
  limit = 50
  expect([second.resize(1), first.resize(81), first.resize(79)]).toEqual([false, false, true])
  expect([first.resize(0), second.resize(50)]).toEqual([true, true])
})
