import { describe, expect, it } from 'vitest'
import { oneForAll } from './one-for-all.ts'

describe('oneForAll', () => {
  it('does the work once for all calls before it begins, and again for later ones', async () => {
    let begun = 0
    let release = (): void => {}
    const ask = oneForAll(() => {
      begun++
      return new Promise<void>((resolve) => {
        release = resolve
      })
    })
    const answered = Promise.resolve()
    const together = [answered.then(ask), answered.then(ask)]
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toBe(1)
    const later = ask()
    release()
    await Promise.all(together)
    await new Promise((resolve) => setImmediate(resolve))
    expect(begun).toBe(2)
    release()
    await later
  })

  it('fails for all calls that share a run, and runs again for later ones', async () => {
    let begun = 0
    const ask = oneForAll(async () => {
      begun++
      if (begun === 1) throw new Error('away')
    })
    const results = await Promise.allSettled([ask(), ask()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await ask()
    expect(begun).toBe(2)
  })
})
