import { expect, it } from 'vitest'
import { createRecentLogs } from './recent-logs.ts'

const log = (id: string, version = '1') => ({ id, value: { integrations: {} }, version })

it('returns the log of a group while the group is unchanged', () => {
  const recent = createRecentLogs(10)
  recent.set({ id: 'group', version: '7' }, log('log', '7'))
  expect(recent.get({ id: 'group', version: '7' })).toEqual(log('log', '7'))
  expect(recent.get({ id: 'group', version: '8' })).toBeUndefined()
  recent.forget('group')
  expect(recent.get({ id: 'group', version: '7' })).toBeUndefined()
})

it('forgets it once another group was notified in the same log', () => {
  const recent = createRecentLogs(10)
  const [one, sibling] = [
    { id: 'one', version: '1' },
    { id: 'sibling', version: '2' },
  ]
  recent.set(one, log('shared', '1'))
  recent.set(sibling, log('shared', '2'))
  expect([recent.get(one), recent.get(sibling)]).toEqual([undefined, log('shared', '2')])
  recent.forget('one')
  expect(recent.get(sibling)).toEqual(log('shared', '2'))
})

it('keeps the most recently notified, and at most as many others', () => {
  const recent = createRecentLogs(2)
  const kept = (): string[] =>
    [...'abcde'].filter((id) => recent.get({ id, version: '1' })?.id === id)
  const seen = [...'aabcadeee'].map((id) => {
    recent.set({ id, version: '1' }, log(id))
    return kept().join('')
  })
  expect(seen).toEqual(['a', 'a', 'ab', 'abc', 'ac', 'acd', 'de', 'de', 'de'])
})
