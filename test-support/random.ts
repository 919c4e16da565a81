/** Random numbers that depend only on a seed. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** An integer from `least` to `most`, both inclusive. */
  between(least: number, most: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** @throws {RangeError} if the list is empty. */
  pick<T>(from: readonly T[]): T
}

/** mulberry32 by Tommy Ettinger: 32 bits of state, enough for one run. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick(from) {
      const at = between(0, from.length - 1)
      if (at < 0) throw new RangeError('nothing to pick from')
      return from[at] as (typeof from)[number]
    },
  }
}

/** FNV-1a, continued from `hash`. */
export function hashText(text: string, hash = 0x811c9dc5): number {
  let mixed = hash
  for (let at = 0; at < text.length; at++) {
    mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193)
  }
  return mixed >>> 0
}

/** The seed for one part of a run, so that draws of one part do not change the others. */
export const seedOf = (seed: number, part: string): number => hashText(`${part} of ${seed}`)

/** A valid UUID of version 4, since ids are validated. */
export function randomUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16))
  hex[12] = '4'
  hex[16] = '8'
  const text = hex.join('')
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => text.slice(from, to))
    .join('-')
}
