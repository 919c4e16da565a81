import type { RE2JS } from 're2js'

/** Asks a compiled expression, which is compiled again if the cache forgot it. */
export interface CachedEngine {
  /** Whether the expression matches; `undefined` if it cannot be compiled. */
  test(value: string): boolean | undefined
}

/** What {@link EngineCache.add} takes. */
export interface CachedEngineOptions {
  /** Returns `undefined` for what is no expression. */
  compile(): RE2JS | undefined
  /** How many instructions the expression has, about. */
  size: number
  /** Where it was compiled already. */
  engine?: RE2JS | undefined
}

/** Compiled expressions, of which those are forgotten that were used longest ago when together they take too much memory. */
export interface EngineCache {
  add(options: CachedEngineOptions): CachedEngine
  /** About how many bytes the engines take that are not forgotten. */
  readonly bytes: number
}

interface Kept {
  engine: RE2JS | undefined
  bytes: number
  /** The generation in which it was last used. */
  usedIn: number
}

const bytesPerEngine = 1_000
const bytesPerInstruction = 400

/** An empty cache that holds at most this many bytes, and the engine that was used last. */
export function createEngineCache(mostBytes: number): EngineCache {
  // Two generations instead of an order by use: a test costs microseconds, and so must keeping track of it.
  let generation = 0
  let recent: Kept[] = []
  let recentBytes = 0
  let older: Kept[] = []

  const makeRoom = (): void => {
    if (recentBytes <= mostBytes / 2) return
    for (const kept of older) if (kept.usedIn !== generation) kept.engine = undefined
    older = recent
    recent = []
    recentBytes = 0
    generation++
  }

  const use = (kept: Kept): void => {
    if (kept.usedIn === generation) return
    kept.usedIn = generation
    recent.push(kept)
    recentBytes += kept.bytes
    makeRoom()
  }

  const grow = (kept: Kept, bytes: number): void => {
    if (bytes === kept.bytes) return
    if (kept.usedIn === generation) recentBytes += bytes - kept.bytes
    kept.bytes = bytes
    makeRoom()
  }

  return {
    add({ compile, size, engine: compiled }) {
      const compiledBytes = bytesPerEngine + size * bytesPerInstruction
      const kept: Kept = { engine: compiled, bytes: compiledBytes, usedIn: -1 }
      let isBroken = false
      if (compiled !== undefined) use(kept)
      return {
        test(value) {
          if (isBroken) return undefined
          const engine = kept.engine ?? compile()
          isBroken = engine === undefined
          if (engine === undefined) return undefined
          kept.engine = engine
          use(kept)
          const isMatch = engine.test(value)
          grow(kept, compiledBytes + stateBytes(engine))
          return isMatch
        },
      }
    },

    get bytes() {
      const all = new Set([...older, ...recent])
      return [...all].reduce((sum, { engine, bytes }) => (engine ? sum + bytes : sum), 0)
    },
  }
}

/** What the states of its automaton take, which the engine makes while it reads texts: up to 8 MiB. */
function stateBytes(engine: RE2JS): number {
  const automaton = engine.re2().lazyDFA
  return automaton === null ? 0 : automaton.maxMem - automaton.memBudget
}
