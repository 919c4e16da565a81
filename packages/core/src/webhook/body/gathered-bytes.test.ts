import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runsOf } from '../../../../../test-support/lane.ts'
import { GatheredBytes } from './gathered-bytes.ts'

it('gathered bytes are those of the pieces, in order', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.nat(40_000)), { maxLength: 30 })
  fc.assert(
    fc.property(lengths, (list) => {
      const pieces = list.map((length, i) => new Uint8Array(length).fill(i + 1))
      const gathered = new GatheredBytes()
      for (const piece of pieces) {
        gathered.add(piece)
        expect(gathered.whole()).toHaveLength(gathered.length)
      }
      expect(Buffer.compare(gathered.whole(), Buffer.concat(pieces))).toBe(0)
    }),
    { numRuns: runsOf(50) },
  )
})
