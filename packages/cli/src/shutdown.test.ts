import { EventEmitter } from 'node:events'
import { silentLogger } from '@gatehouse/core'
import { describe, expect, it, vi } from 'vitest'
import { runUntilSignal, type Stoppable, stopInOrder } from './shutdown.ts'

function part(name: string, ended: string[], failure?: Error): Stoppable {
  return {
    name,
    async stop() {
      if (failure !== undefined) throw failure
      ended.push(name)
    },
  }
}

describe('runUntilSignal()', () => {
  it.each(['SIGTERM', 'SIGINT'])('stops the parts in order on %s and returns 0', async (signal) => {
    const signals = new EventEmitter()
    const ended: string[] = []
    const parts = [part('http', ended), part('maintenance', ended), part('storage', ended)]
    const exitCode = runUntilSignal({
      logger: silentLogger,
      parts,
      reload: async () => {},
      signals,
    })
    expect(ended).toEqual([])
    signals.emit(signal)
    expect(await exitCode).toBe(0)
    expect(ended).toEqual(['http', 'maintenance', 'storage'])
    expect(signals.eventNames()).toEqual([])
  })

  it('reloads on SIGHUP and on SIGUSR1, and keeps running', async () => {
    const signals = new EventEmitter()
    let reloads = 0
    const reload = async (): Promise<void> => void reloads++
    const exitCode = runUntilSignal({ logger: silentLogger, parts: [], reload, signals })
    signals.emit('SIGHUP')
    signals.emit('SIGUSR1')
    expect(reloads).toBe(2)
    signals.emit('SIGTERM')
    expect(await exitCode).toBe(0)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('exits at once on a second signal %s, with %d', async (signal, code) => {
    const signals = new EventEmitter()
    const ended: unknown[] = []
    let release = (): void => {}
    const slow: Stoppable = {
      name: 'slow',
      stop: () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    }
    const exitCode = runUntilSignal({
      logger: silentLogger,
      parts: [slow],
      reload: async () => {},
      abort: async () => ended.push('aborted'),
      exit: (given) => ended.push(given),
      signals,
    })
    signals.emit('SIGTERM')
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toEqual([])
    signals.emit(signal)
    expect(ended).toEqual(['aborted'])
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toEqual(['aborted', code])
    release()
    await exitCode
  })
})

describe('runUntilSignal(), after a second signal', () => {
  it('exits at a third signal, and after a second, even if abort is not done', async () => {
    vi.useFakeTimers()
    const signals = new EventEmitter()
    const ended: unknown[] = []
    void runUntilSignal({
      logger: silentLogger,
      parts: [],
      reload: async () => {},
      abort: () => new Promise(() => {}),
      exit: (given) => ended.push(given),
      signals,
    })
    for (let i = 0; i < 2; i++) signals.emit('SIGTERM')
    vi.advanceTimersByTime(999)
    expect(ended).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ended).toEqual([143])
    signals.emit('SIGINT')
    expect(ended).toEqual([143, 130])
    vi.useRealTimers()
  })
})

describe('stopInOrder()', () => {
  it('stops the parts after one that fails, and reports the failure', async () => {
    const ended: string[] = []
    const parts = [part('a', ended), part('b', ended, new Error('stuck')), part('c', ended)]
    expect(await stopInOrder(parts, silentLogger)).toBe(false)
    expect(ended).toEqual(['a', 'c'])
  })
})
