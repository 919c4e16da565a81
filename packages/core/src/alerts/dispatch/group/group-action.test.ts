import { expect, it } from 'vitest'
import type { RouteNode } from '../../routing/routing-tree.ts'
import type { FlushClaim, StoredGroup } from './group.ts'
import { actionFor, type GroupInTurn } from './group-action.ts'

const recordWith = (holder?: string) => {
  const claim: FlushClaim | undefined =
    holder === undefined ? undefined : { holder, until: 0, beat: 1 }
  const value: StoredGroup = { route: 'r', receiver: 'team', groupKey: 'k', labels: {}, done: {} }
  return { id: 'g', version: 'v1', value: claim === undefined ? value : { ...value, claim } }
}
const route = { receiver: 'team' } as RouteNode
const free = recordWith()
const due: GroupInTurn = { record: free, dueAt: 1_000, isEarly: false, route }
const flush = (record = free) => ({ type: 'flush', record, route })
const wait = (until: number) => ({ type: 'wait', until })

it.each<[state: string, group: Partial<GroupInTurn>, action: object]>([
  ['is due', {}, flush()],
  ['is not due yet', { dueAt: 1_001 }, wait(1_001)],
  ['is not due, but flushed early', { dueAt: 1_001, isEarly: true }, flush()],
  [
    'would be flushed early, but another process has claimed it',
    { record: recordWith('other'), dueAt: 1_001, isEarly: true },
    wait(1_001),
  ],
  [
    'was claimed by another process that is gone',
    { record: recordWith('other') },
    flush(recordWith('other')),
  ],
  [
    'was claimed by this process, which did not notice',
    { record: recordWith('own'), dueAt: 9_000 },
    flush(recordWith('own')),
  ],
  ['is gone', { record: undefined }, { type: 'nothing' }],
  ['needs nothing any more', { dueAt: undefined }, { type: 'nothing' }],
  ['has no alerts under this configuration', { route: undefined }, wait(61_000)],
  [
    'has had none for a minute under any configuration',
    { route: undefined, dueAt: -59_000 },
    { type: 'remove', record: free },
  ],
])('a group in turn that %s', (_, group, action) => {
  expect(actionFor({ ...due, ...group }, { now: 1_000, holder: 'own' })).toEqual(action)
})
