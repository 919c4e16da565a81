import { describe, expect, it } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

/** Jobs that end when they are told to. */
function controlledJobs() {
  const started: string[] = []
  const ends = new Map<string, { resolve: (name: string) => void; reject: (e: Error) => void }>()
  return {
    started,
    job: (name: string) => () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }))
    },
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

const options = { maxParallel: 2, maxWaiting: 2, secondsPerJob: 1.5 }

describe('a hash queue', () => {
  it('runs no more at once than it may, the others in the order in which they came', async () => {
    const { started, job, end } = controlledJobs()
    const queue = createHashQueue(options)
    const results = ['a', 'b', 'c', 'd'].map((name) => queue(job(name)))
    expect(started).toEqual(['a', 'b'])
    end('b')
    await results[1]
    expect(started).toEqual(['a', 'b', 'c'])
    end('a')
    await results[0]
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    end('c')
    end('d')
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('refuses what finds the line full, and says when the line is done', async () => {
    const { started, job, end } = controlledJobs()
    const queue = createHashQueue(options)
    const results = ['a', 'b', 'c', 'd'].map((name) => queue(job(name)))
    await expect(queue(job('e'))).rejects.toMatchObject({
      kind: 'TooManyRequest',
      reason: 'TooManyRequest',
      info: { retryAfterSeconds: 3 },
    })
    end('a')
    await results[0]
    const late = queue(job('f'))
    for (const name of ['b', 'c', 'd', 'f']) {
      end(name)
      await new Promise(setImmediate)
    }
    expect(await late).toBe('f')
    expect(started).toEqual(['a', 'b', 'c', 'd', 'f'])
  })

  it('goes on after a job that fails, whose error it passes on', async () => {
    const { job, end, fail } = controlledJobs()
    const queue = createHashQueue({ ...options, maxParallel: 1 })
    const failing = queue(job('a'))
    const next = queue(job('b'))
    fail('a')
    await expect(failing).rejects.toThrow('a')
    end('b')
    expect(await next).toBe('b')
  })

  it('gives its place to who waits, not to who comes while it is handed over', async () => {
    const { started, job, end } = controlledJobs()
    const queue = createHashQueue({ ...options, maxParallel: 1 })
    const first = queue(job('a'))
    const second = queue(job('b'))
    end('a')
    const third = first.then(() => queue(job('c')))
    await first
    await new Promise(setImmediate)
    expect(started).toEqual(['a', 'b'])
    end('b')
    await second
    await new Promise(setImmediate)
    end('c')
    await third
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('tells even for short jobs to wait for at least a second', async () => {
    const queue = createHashQueue({ maxParallel: 1, maxWaiting: 0, secondsPerJob: 0.01 })
    const { job, end } = controlledJobs()
    const running = queue(job('a'))
    await expect(queue(job('b'))).rejects.toMatchObject({ info: { retryAfterSeconds: 1 } })
    end('a')
    await running
  })

  it.each([
    [{ maxParallel: 0 }, 'maxParallel must be an integer of at least 1, not 0'],
    [{ maxParallel: 1.5 }, 'maxParallel must be an integer of at least 1, not 1.5'],
    [{ maxWaiting: -1 }, 'maxWaiting must be an integer of at least 0, not -1'],
  ])('is not made with %j', (wrong, message) => {
    expect(() => createHashQueue({ ...options, ...wrong })).toThrow(new RangeError(message))
  })
})
