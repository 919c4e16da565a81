import type { RE2JS } from 're2js'

/** A compiled expression, which is compiled again if the cache dropped it. */
export interface CachedEngine {
  /** Whether the expression matches; `undefined` if it cannot be compiled. */
  test(value: string): boolean | undefined
}

/** Options of {@link EngineCache.add}. */
export interface CachedEngineOptions {
  /** Returns `undefined` for an invalid expression. */
  compile(): RE2JS | undefined
  /** The approximate number of instructions of the expression. */
  size: number
  /** The engine, if already compiled. */
  engine?: RE2JS | undefined
}

/** Compiled expressions. The least recently used ones are dropped when they take too much memory together. */
export interface EngineCache {
  add(options: CachedEngineOptions): CachedEngine
  /** The approximate number of bytes of the cached engines. */
  readonly bytes: number
}

interface Kept {
  engine: RE2JS | undefined
  bytes: number
  /** The generation of its last use. */
  usedIn: number
}

const bytesPerEngine = 1_000
const bytesPerInstruction = 400

/** Creates an empty cache of at most this many bytes. The most recently used engine is always kept. */
export function createEngineCache(maxBytes: number): EngineCache {
  // Two generations instead of an exact LRU order: a test takes microseconds, so tracking its use must be as cheap.
  let generation = 0
  let recent: Kept[] = []
  let recentBytes = 0
  let older: Kept[] = []

  const makeRoom = (): void => {
    if (recentBytes <= maxBytes / 2) return
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

/** The memory of the automaton states that the engine creates while it reads texts: up to 8 MiB. */
function stateBytes(engine: RE2JS): number {
  const automaton = engine.re2().lazyDFA
  return automaton === null ? 0 : automaton.maxMem - automaton.memBudget
}
