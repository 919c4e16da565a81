import { RE2JS } from 're2js'
import { expect, it } from 'vitest'
import { type CachedEngine, createEngineCache, type EngineCache } from './engine-cache.ts'

const mebibyte = 1024 * 1024

interface Counted {
  readonly engine: CachedEngine
  compiled(): number
}

function add(cache: EngineCache, source: string, size: number): Counted {
  let count = 0
  const compile = (): RE2JS => {
    count++
    return RE2JS.compile(source)
  }
  return { engine: cache.add({ compile, size }), compiled: () => count }
}

it('compiles an expression at its first use, and only once while it is in use', () => {
  const cache = createEngineCache(mebibyte)
  const { engine, compiled } = add(cache, '^(?:[a]+)$', 10)
  expect(compiled()).toBe(0)
  expect([engine.test('aa'), engine.test('ab'), engine.test('')]).toEqual([true, false, false])
  expect(compiled()).toBe(1)
})

it('three thousand expressions stay within the cache limit, and still answer', () => {
  const cache = createEngineCache(mebibyte)
  const all = Array.from({ length: 3_000 }, (_, i) => add(cache, `^(?:[a]+${i})$`, 100))
  for (const [i, { engine }] of all.entries()) {
    expect(engine.test(`aa${i}`)).toBe(true)
    if (i % 500 === 0) expect(cache.bytes).toBeLessThanOrEqual(mebibyte)
  }
  expect(cache.bytes).toBeGreaterThan(mebibyte / 4)
  expect(cache.bytes).toBeLessThanOrEqual(mebibyte)
  expect(all[0]?.engine.test('aa0')).toBe(true)
  expect(all[0]?.compiled()).toBe(2)
})

it('the states an engine keeps about texts count too', () => {
  const cache = createEngineCache(4 * mebibyte)
  let seed = 1
  const letters = (): string =>
    Array.from({ length: 1_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % 2 === 0 ? 'a' : 'b'
    }).join('')
  const { engine } = add(cache, '^(?:[ab]*a[ab]{100})$', 210)
  engine.test('a')
  const before = cache.bytes
  for (let i = 0; i < 3; i++) engine.test(letters())
  expect(cache.bytes).toBeGreaterThan(before + 500_000)
  const others = Array.from({ length: 6 }, (_, i) => add(cache, `^(?:[ab]*a[ab${i}]{100})$`, 210))
  for (const other of others) other.engine.test(letters())
  expect(cache.bytes).toBeLessThanOrEqual(4 * mebibyte + 8 * mebibyte)
})

it('an invalid expression matches nothing, and is not compiled again', () => {
  const cache = createEngineCache(mebibyte)
  let count = 0
  const engine = cache.add({
    compile() {
      count++
      return undefined
    },
    size: 1,
  })
  expect([engine.test('a'), engine.test('b')]).toEqual([undefined, undefined])
  expect(count).toBe(1)
})
