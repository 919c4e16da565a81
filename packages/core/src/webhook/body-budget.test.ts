import { expect, it } from 'vitest'
import { createBodyBudget } from './body-budget.ts'

it('a budget gives out no more than its limit', () => {
  const budget = createBodyBudget(() => 100)
  expect(budget.reserve(60)).toBeTypeOf('function')
  expect(budget.reserve(41)).toBeUndefined()
  expect(budget.reserve(40)).toBeTypeOf('function')
  expect(budget.reserve(1)).toBeUndefined()
})

it('what is given back can be taken again, and giving it back twice gives it back once', () => {
  const budget = createBodyBudget(() => 100)
  const release = budget.reserve(100)
  release?.()
  release?.()
  expect(budget.reserve(100)).toBeTypeOf('function')
  expect(budget.reserve(1)).toBeUndefined()
})

it('a limit that falls takes nothing away from who holds', () => {
  let limit = 100
  const budget = createBodyBudget(() => limit)
  const release = budget.reserve(80)
  limit = 50
  expect(budget.reserve(1)).toBeUndefined()
  release?.()
  expect(budget.reserve(50)).toBeTypeOf('function')
})
