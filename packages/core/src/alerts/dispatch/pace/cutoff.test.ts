import { expect, it } from 'vitest'
import { createCutoff } from './cutoff.ts'

it('notifies all listeners and signals once', () => {
  const cutoff = createCutoff()
  const heard: string[] = []
  for (let i = 0; i < 20; i++) cutoff.onCut(() => heard.push(`${i}`))
  const forget = cutoff.onCut(() => heard.push('gone'))
  forget()
  expect([cutoff.isCut, cutoff.signal.aborted]).toEqual([false, false])
  const reason = new DOMException('it is over', 'AbortError')
  cutoff.cut(reason)
  cutoff.cut(new DOMException('again', 'AbortError'))
  expect(heard).toHaveLength(20)
  expect(cutoff.isCut).toBe(true)
  expect(cutoff.signal.reason).toBe(reason)
})

it('is a signal whose listeners can be removed', () => {
  const cutoff = createCutoff()
  const { signal } = cutoff
  const heard: string[] = []
  const left = (): void => void heard.push('left')
  signal.addEventListener('abort', left)
  signal.addEventListener('abort', () => heard.push('stayed'))
  signal.removeEventListener('abort', left)
  signal.throwIfAborted()
  cutoff.cut(new DOMException('it is over', 'AbortError'))
  expect(heard).toEqual(['stayed'])
  expect(() => signal.throwIfAborted()).toThrow('it is over')
})

it('notifies late listeners at once', () => {
  const cutoff = createCutoff()
  cutoff.cut(new DOMException('it is over', 'AbortError'))
  let isTold = false
  cutoff.onCut(() => {
    isTold = true
  })
  expect(isTold).toBe(true)
})
