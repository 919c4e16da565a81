import { type Logger, silentLogger } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
import { Refused } from '../config/failure.ts'
import type { Service } from '../service.ts'
import { createReloading, type Reloading } from './reload.ts'

/** A service that applies each configuration, unless it refuses it. */
function serviceOf(reloading: Reloading<string>, refuses: (text: string) => boolean) {
  const taken: string[] = []
  let refusals = 0
  const service: Service = {
    whoAmI: async () => ({ subject: null, actions: [] }),
    name: 'test',
    routes: [],
    openApi: { basePath: () => '', load: async () => ({ paths: {}, schemas: {} }) },
    summary: {},
    start: () => ({ stop: async () => {} }),
    async reload() {
      try {
        const text = await reloading.read()
        if (refuses(text)) throw new Error(`not ${text}`)
        taken.push(text)
      } catch (error) {
        refusals++
        throw error
      }
    },
  }
  return { service, taken, refusals: () => refusals }
}

describe('createReloading()', () => {
  const errors: unknown[] = []
  const logger: Logger = { ...silentLogger, error: (fields) => void errors.push(fields) }

  it('reads once for all services, and applies the rest after them', async () => {
    let reads = 0
    const reloading = createReloading({
      logger,
      load: async (files) => {
        await files.read('package.json')
        return `reading ${++reads}`
      },
    })
    const one = serviceOf(reloading, () => false)
    const other = serviceOf(reloading, () => false)
    const applied: unknown[] = []
    await reloading.reload({
      services: [one.service, other.service],
      apply: (text) => void applied.push(text, [...one.taken]),
      onRead: (digests, isGood) => applied.push([...digests.keys()].length, isGood),
    })
    expect(applied).toEqual([1, true, 'reading 1', ['reading 1']])
    expect(other.taken).toEqual(['reading 1'])
    expect(await reloading.read()).toBe('reading 2')
  })

  it('applies nothing of a bad configuration, logs its lines, and lets services count it', async () => {
    const reloading = createReloading<string>({
      load: () => Promise.reject(new Refused(['a', 'b'])),
      logger,
    })
    const { service, taken, refusals } = serviceOf(reloading, () => false)
    const applied: unknown[] = []
    errors.length = 0
    await reloading.reload({
      services: [service],
      apply: (text) => void applied.push(text),
      onRead: (_, isGood) => applied.push(isGood),
    })
    expect({ applied, taken, refusals: refusals() }).toEqual({
      applied: [false],
      taken: [],
      refusals: 1,
    })
    expect(errors).toEqual([{ error: 'a' }, { error: 'b' }])
  })

  it('logs the lines of a bad configuration also if one service reloads by itself', async () => {
    const singles: unknown[] = []
    const reloading = createReloading<string>({
      load: () => Promise.reject(new Refused(['a', 'b'])),
      logger,
      onSingle: () => void singles.push('others reload too'),
    })
    errors.length = 0
    await expect(reloading.read()).rejects.toThrow('a; b')
    expect(errors).toEqual([{ error: 'a' }, { error: 'b' }])
    expect(singles).toHaveLength(1)
  })

  it('applies nothing if a service refuses its part, which logs why', async () => {
    const reloading = createReloading({ load: async () => 'text', logger })
    const { service } = serviceOf(reloading, (text) => text === 'text')
    const applied: unknown[] = []
    errors.length = 0
    await reloading.reload({
      services: [service],
      apply: (text) => void applied.push(text),
    })
    expect({ applied, errors }).toEqual({ applied: [], errors: [{ service: 'test' }] })
  })
})
