import { describe, expect, it } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

/** Jobs that end on demand. */
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
  it('runs a limited number of jobs at once, the others in order of arrival', async () => {
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

  it('refuses jobs while the queue is full, with an estimate of the wait', async () => {
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

  it('goes on after a failed job, and passes its error on', async () => {
    const { job, end, fail } = controlledJobs()
    const queue = createHashQueue({ ...options, maxParallel: 1 })
    const failing = queue(job('a'))
    const next = queue(job('b'))
    fail('a')
    await expect(failing).rejects.toThrow('a')
    end('b')
    expect(await next).toBe('b')
  })

  it('hands its place to a waiting job, not to one that arrives meanwhile', async () => {
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

  it('reports a wait of at least a second, even for short jobs', async () => {
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
  ])('is not created with %j', (wrong, message) => {
    expect(() => createHashQueue({ ...options, ...wrong })).toThrow(new RangeError(message))
  })

  it('limits an account to its share of the queue, from any number of addresses', async () => {
    const { started, job, end } = controlledJobs()
    const queue = createHashQueue({ maxParallel: 2, maxWaiting: 64, secondsPerJob: 1 })
    const guesses = Array.from({ length: 34 }, (_, i) =>
      queue(job(`guess ${i}`), { account: 'maya', address: `10.0.0.${i}` }).catch(
        (error: unknown) => error,
      ),
    )
    const others = Array.from({ length: 46 }, (_, i) =>
      queue(job(`other ${i}`), { account: `u${i}`, address: `10.0.1.${i}` }),
    )
    for (let ended = 0; ended < started.length; ended++) {
      end(started[ended] ?? '')
      await new Promise(setImmediate)
    }
    expect(await Promise.all(others)).toHaveLength(46)
    const refused = (await Promise.all(guesses)).filter((result) => typeof result !== 'string')
    expect(refused).toHaveLength(34 - 2 - 16)
    for (const error of refused) expect(error).toMatchObject({ reason: 'TooManyRequest' })
  })

  it('lets addresses take turns, and refuses jobs above the share of one', async () => {
    const { started, job, end } = controlledJobs()
    const queue = createHashQueue({ maxParallel: 1, maxWaiting: 20, secondsPerJob: 1 })
    const greedy = (i: number) => queue(job(`greedy ${i}`), { account: `g${i}`, address: 'a' })
    const taken = [0, 1, 2, 3, 4, 5].map(greedy)
    await expect(greedy(6)).rejects.toMatchObject({ reason: 'TooManyRequest' })
    const late = [0, 1].map((i) => queue(job(`late ${i}`), { account: 'x', address: 'b' }))
    for (let ended = 0; ended < started.length; ended++) {
      end(started[ended] ?? '')
      await new Promise(setImmediate)
    }
    await Promise.all([...taken, ...late])
    expect(started.slice(0, 5)).toEqual(['greedy 0', 'greedy 1', 'late 0', 'greedy 2', 'late 1'])
    expect(started).toHaveLength(8)
  })

  it('stores nothing about accounts and addresses without waiting jobs', async () => {
    const { started, job, end } = controlledJobs()
    const queue = createHashQueue({ maxParallel: 1, maxWaiting: 16, secondsPerJob: 1 })
    for (let round = 0; round < 3; round++) {
      const from = started.length
      const results = [0, 1, 2, 3, 4].map((i) => {
        return queue(job(`${round} ${i}`), { account: 'maya', address: 'a' })
      })
      for (let ended = from; ended < started.length; ended++) {
        end(started[ended] ?? '')
        await new Promise(setImmediate)
      }
      expect(await Promise.all(results)).toHaveLength(5)
    }
  })
})
