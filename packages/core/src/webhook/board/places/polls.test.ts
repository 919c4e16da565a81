import { expect, it } from 'vitest'
import type { Rival } from './lane.ts'
import { rivalsOf } from './polls.ts'

it('the process that has waited longest is the rival of its webhook', () => {
  const wait = (webhook: string, server: string, since: number): Rival => ({
    id: `${webhook}.${server}`,
    version: 'v1',
    value: { webhook, server, since },
  })
  const [late, early, other] = [wait('a', 'one', 5), wait('a', 'two', 3), wait('b', 'one', 9)]
  const rivals = rivalsOf([late, early, other])
  expect([...rivals]).toEqual([
    ['a', early],
    ['b', other],
  ])
})
