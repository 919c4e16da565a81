import { describe, expect, it } from 'vitest'
import { createHistoryIds, cursorAt, expiredId, historyBound, idOfCursor } from './history-id.ts'

const processes = (...names: string[]) =>
  names.map((name) => createHistoryIds({ random: () => name }))

describe('ids of the history', () => {
  it('sort by time, and by creation within an instant', () => {
    const [a, b] = processes('a', 'b')
    const ids = [5, 5, 5, 1_000, 1_767_355_200_000, 253_402_300_799_999].map((at) => a?.(at))
    expect([...ids].sort()).toEqual(ids)
    expect(new Set([...ids, b?.(5)]).size).toBe(7)
  })

  it('come after the bound of their instant and before the next', () => {
    const [idAt] = processes('a')
    for (const id of [idAt?.(7), expiredId('0123456789abcdef', 7)]) {
      expect([historyBound(8), id, historyBound(7)].sort()).toEqual([
        historyBound(7),
        id,
        historyBound(8),
      ])
    }
  })

  it('have bounds for every number', () => {
    expect(historyBound(-1)).toBe('000000000000000')
    expect(historyBound(0.5)).toBe('000000000000001')
    expect(historyBound(Number.MAX_VALUE)).toBe('999999999999999')
  })

  it('put the end of an alert before other events of that instant', () => {
    const [idAt] = processes('a')
    const ids = [expiredId('0123456789abcdef', 7), idAt?.(7)]
    expect([...ids].sort()).toEqual(ids)
  })
})

describe('a cursor', () => {
  it('converts an id to a cursor and back', () => {
    const [idAt] = processes('69b28e37-513b-4c6e-b2f3-7f864490b57f')
    for (const id of [idAt?.(7) ?? '', expiredId('0123456789abcdef', 7)]) {
      expect(idOfCursor(cursorAt(id))).toBe(id)
    }
  })

  it('rejects any other text', () => {
    const id = expiredId('0123456789abcdef', 7)
    const texts = [
      '',
      'x',
      id,
      `${cursorAt(id)}=`,
      ` ${cursorAt(id)}`,
      cursorAt('1-2'),
      'A'.repeat(1e6),
    ]
    for (const text of texts) expect(idOfCursor(text)).toBeUndefined()
  })
})
