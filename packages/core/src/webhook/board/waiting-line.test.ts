import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { createWaitingLine, type Waiter } from './waiting-line.ts'

interface Somebody extends Waiter {
  readonly name: string
}

const somebody = (name: string): Somebody => ({ name, isWaiting: false })

describe('a waiting line', () => {
  it('matches a plain list, whoever comes and leaves', () => {
    const step = fc.oneof(
      fc.constant('comes' as const),
      fc.constant('first leaves' as const),
      fc.record({ leaves: fc.nat(5_000) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 5_000, size: 'max' }), (steps) => {
        const line = createWaitingLine<Somebody>()
        const all: Somebody[] = []
        let model: Somebody[] = []
        for (const it of steps) {
          if (it === 'comes') {
            const newcomer = somebody(`${all.length}`)
            all.push(newcomer)
            line.add(newcomer)
            model.push(newcomer)
          } else {
            const who = it === 'first leaves' ? model[0] : all[it.leaves]
            expect(who?.isWaiting).toBe(who && model.includes(who))
            if (who?.isWaiting) line.remove(who)
            model = model.filter((one) => one !== who)
          }
          expect(line.size).toBe(model.length)
          expect(line.first()).toBe(model[0])
        }
        expect(line.all()).toEqual(model)
      }),
      { numRuns: runsOf(20) },
    )
  })

  it('keeps its order when thousands have left behind one who waits long', () => {
    const line = createWaitingLine<Somebody>()
    line.add(somebody('long'))
    for (let i = 0; i < 5_000; i++) {
      const newcomer = somebody(`${i}`)
      line.add(newcomer)
      if (i !== 1 && i !== 4_998) line.remove(newcomer)
    }
    expect(line.all().map(({ name }) => name)).toEqual(['long', '1', '4998'])
    const left: string[] = []
    for (let one = line.first(); one !== undefined; one = line.first()) {
      left.push(one.name)
      line.remove(one)
    }
    expect(left).toEqual(['long', '1', '4998'])
  })
})
