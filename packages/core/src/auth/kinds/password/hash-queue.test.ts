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

  it('lets one account have only its share of the line, from however many addresses', async () => {
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

  it('lets addresses take turns, and refuses what is above the share of one', async () => {
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

  it('keeps nothing of accounts and addresses that wait no more', async () => {
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
