import { describe, expect, it } from 'vitest'
import { isGatehouseError } from '../errors.ts'
import type { FlowResult } from './flows/flow-result.ts'

/** What became of a proof that was shown: the reason of the refusal, or the type of the next action. */
type Outcome = string

/** A proof, such as a code or a token: where it is shown, and what must become of it there, in this order. */
export interface Proof {
  readonly name: string
  /** Makes the proof. Returns a function for each place in which somebody shows it. */
  show(): Promise<Readonly<Record<string, () => Promise<unknown>>>>
  /** By place. The last places are its own, so that a refusal elsewhere is no accident, and its own once more. */
  readonly outcomes: Readonly<Record<string, Outcome>>
}

const isResult = (value: unknown): value is FlowResult =>
  typeof value === 'object' && value !== null && 'ok' in value

/** The outcome of showing a proof in one place. */
async function outcomeOf(shown: () => Promise<unknown>): Promise<Outcome> {
  try {
    const value = await shown()
    if (!isResult(value)) return String(value ?? 'accepted')
    return value.ok ? value.result.action.type : value.error.reason
  } catch (error) {
    if (isGatehouseError(error)) return error.reason
    throw error
  }
}

/** One test for each proof, which shows it in all places. */
export function describeProofs(proofs: readonly Proof[]): void {
  describe.each(proofs)('$name', ({ show, outcomes }) => {
    it('is good in its own place, once, and refused in all others', async () => {
      const places = await show()
      const seen: Record<string, Outcome> = {}
      for (const place of Object.keys(outcomes)) {
        const shown = places[place]
        if (shown === undefined) throw new Error(`it is not shown in ${place}`)
        seen[place] = await outcomeOf(shown)
      }
      expect(seen).toEqual(outcomes)
      expect(Object.keys(places)).toEqual(Object.keys(outcomes))
    })
  })
}
