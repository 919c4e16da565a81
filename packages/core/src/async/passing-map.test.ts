import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPassingMap } from './passing-map.ts'

describe('a passing map', () => {
  it('behaves like a Map', () => {
    const key = fc.constantFrom('a', 'b', '__proto__')
    const step = fc.tuple(fc.constantFrom('set', 'delete', 'get'), key, fc.integer())
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = createPassingMap<string, { readonly number: number }>()
        const model = new Map<string, { readonly number: number }>()
        for (const [what, name, number] of steps) {
          if (what === 'get') expect(map.get(name)).toBe(model.get(name))
          else if (what === 'delete') {
            map.delete(name)
            model.delete(name)
          } else {
            const value = { number }
            map.set(name, value)
            model.set(name, value)
          }
          expect(map.size).toBe(model.size)
          expect(map.values()).toEqual([...model.values()])
        }
      }),
    )
  })
})
