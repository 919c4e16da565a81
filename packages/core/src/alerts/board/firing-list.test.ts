import { expect, it } from 'vitest'
import type { StoredAlert } from '../alert/alert.ts'
import { type AlertEntry, createAlertEntry } from './alert-entry.ts'
import { createFiringList } from './firing-list.ts'

const alert: StoredAlert = { labels: {}, annotations: {}, startsAt: 0, endsAt: 9, updatedAt: 0 }

function start() {
  const firing = new Map<string, AlertEntry>()
  const list = createFiringList(firing)
  return {
    list,
    enter(...fingerprints: string[]): AlertEntry[] {
      return fingerprints.map((fingerprint) => {
        const entry = createAlertEntry(fingerprint, alert)
        firing.set(fingerprint, entry)
        list.add(entry)
        return entry
      })
    },
    leave(fingerprint: string): void {
      firing.delete(fingerprint)
      list.noteLeft()
    },
  }
}

const namesOf = (entries: readonly AlertEntry[]): string[] =>
  entries.map(({ fingerprint }) => fingerprint)

it('alerts that entered and left since the last read are merged in order', () => {
  const { list, enter, leave } = start()
  enter('d', 'b')
  expect(namesOf(list.all())).toEqual(['b', 'd'])
  enter('c', 'e', 'a')
  leave('d')
  leave('e')
  expect(namesOf(list.all())).toEqual(['a', 'b', 'c'])
})

it('an alert that left and fires again is in the list once', () => {
  const { list, enter, leave } = start()
  enter('a')
  leave('a')
  const [again] = enter('a')
  expect(list.all()).toEqual([again])
})

it.each([2, 100])(
  'of what was found among %i alerts, those that still fire are in order',
  (count) => {
    const { list, enter, leave } = start()
    enter(...Array.from({ length: count }, (_, index) => `x${index}`))
    const found = enter('c', 'b', 'a')
    leave('b')
    expect(namesOf(list.among(found))).toEqual(['a', 'c'])
  },
)
