import { EventEmitter } from 'node:events'
import { silentLogger } from '@gatehouse/core'
import { describe, expect, it } from 'vitest'
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
  it.each(['SIGTERM', 'SIGINT'])(
    'ends the parts in their order on %s and answers 0',
    async (signal) => {
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
    },
  )

  it('reloads on SIGHUP and goes on', async () => {
    const signals = new EventEmitter()
    let reloads = 0
    const reload = async (): Promise<void> => void reloads++
    const exitCode = runUntilSignal({ logger: silentLogger, parts: [], reload, signals })
    signals.emit('SIGHUP')
    signals.emit('SIGHUP')
    expect(reloads).toBe(2)
    signals.emit('SIGTERM')
    expect(await exitCode).toBe(0)
  })

  it('ends the program at once on a second signal', async () => {
    const signals = new EventEmitter()
    const aborted: number[] = []
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
      abort: (code) => aborted.push(code),
      signals,
    })
    signals.emit('SIGTERM')
    await new Promise((resolve) => setImmediate(resolve))
    signals.emit('SIGINT')
    expect(aborted).toEqual([1])
    release()
    await exitCode
  })
})

describe('stopInOrder()', () => {
  it('ends the parts behind one that fails, and says that not all went well', async () => {
    const ended: string[] = []
    const parts = [part('a', ended), part('b', ended, new Error('stuck')), part('c', ended)]
    expect(await stopInOrder(parts, silentLogger)).toBe(false)
    expect(ended).toEqual(['a', 'c'])
  })
})
