import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWaitingLine } from './waiting-line.ts'

describe('a waiting line', () => {
  it('is what a list would be, whoever comes and leaves', () => {
    const step = fc.oneof(
      fc.constant('comes' as const),
      fc.constant('first leaves' as const),
      fc.record({ leaves: fc.nat(5_000) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5_000, size: 'max' }), (steps) => {
        const line = createWaitingLine<number>()
        let model: number[] = []
        let count = 0
        for (const it of steps) {
          if (it === 'comes') {
            line.add(`${count}`, count)
            model.push(count++)
          } else {
            const who = it === 'first leaves' ? model[0] : it.leaves
            expect(line.remove(`${who}`)).toBe(who !== undefined && model.includes(who))
            model = model.filter((one) => one !== who)
          }
          expect([line.size, line.first()]).toEqual([model.length, model[0]])
        }
        expect(line.ids()).toEqual(model.map(String))
      }),
      { numRuns: 20 },
    )
  })

  it('goes on in order where thousands have left behind one who waits long', () => {
    const line = createWaitingLine<string>()
    line.add('long', 'long')
    for (let i = 0; i < 5_000; i++) {
      line.add(`${i}`, `${i}`)
      if (i !== 1 && i !== 4_998) line.remove(`${i}`)
    }
    expect(line.ids()).toEqual(['long', '1', '4998'])
    const left: (string | undefined)[] = []
    for (let one = line.first(); one !== undefined; one = line.first()) {
      left.push(one)
      line.remove(one)
    }
    expect(left).toEqual(['long', '1', '4998'])
  })
})
