import { defineCollection, storageUnavailable } from '@gatehouse/core/store'
import { describe, expect, it } from 'vitest'
import { createPostgresStorage } from './index.ts'
import { createOperations, type Operations } from './operations.ts'

const notes = defineCollection<number>({ name: 'notes', feed: true })

/** A task that runs until the test ends it. */
function createTask(): { readonly run: () => Promise<void>; end(): void } {
  let end = (): void => {}
  const task = new Promise<void>((resolve) => {
    end = resolve
  })
  return { run: () => task, end: () => end() }
}

/** The error of a server that is stopping. */
const stopping = Object.assign(new Error('terminating connection'), {
  code: '57P01',
  severity: 'FATAL',
})

/** The error of a transaction that collided with another one. */
const collision = Object.assign(new Error('deadlock detected'), {
  code: '40P01',
  severity: 'ERROR',
})

describe('operations', () => {
  it('reject when refused, however many there are', async () => {
    const storage = createPostgresStorage({ url: 'postgres://127.0.0.1:1/none' })
    for (let round = 0; round < 600; round++) {
      await expect(storage.commit([notes.write('', round)])).rejects.toThrow(TypeError)
    }
    await storage.close()
  })

  it('run up to a limit at a time, and more once one has ended', async () => {
    const operations = createOperations({ limit: 2 })
    const tasks = [createTask(), createTask()]
    const running = tasks.map(({ run }) => operations.run(run))
    const refusal = { kind: 'ServiceUnavailable', reason: 'StorageUnavailable' }
    await expect(operations.run(async () => {})).rejects.toMatchObject(refusal)
    tasks[0]?.end()
    await running[0]
    await expect(operations.run(async () => 'made')).resolves.toBe('made')
    tasks[1]?.end()
    await running[1]
  })

  it.each([
    ['executed', () => false],
    ['answered from memory', (operations: Operations) => operations.mayAnswer()],
  ])('let other work run when all are %s', async (_, isAnswered) => {
    const operations = createOperations({ limit: 1 })
    let isOver = false
    setImmediate(() => {
      isOver = true
    })
    let count = 0
    while (!isOver && count < 10_000) {
      if (!isAnswered(operations)) await operations.run(async () => {})
      count++
    }
    expect(isOver).toBe(true)
  })

  it('are repeated after a collision, up to a limit', async () => {
    const operations = createOperations({ limit: 1 })
    let count = 0
    const meet = (times: number) => async (): Promise<string> => {
      count++
      if (count <= times) throw collision
      return 'made'
    }
    await expect(operations.run(meet(5))).resolves.toBe('made')
    count = 0
    await expect(operations.run(meet(Number.POSITIVE_INFINITY))).rejects.toMatchObject({
      reason: 'StorageUnavailable',
    })
    expect(count).toBe(20)
  })

  it('are repeated on another connection if repeatable, and fail otherwise', async () => {
    const operations = createOperations({ limit: 1 })
    for (const [isRepeatable, attempts] of [
      [true, 3],
      [false, 1],
    ] as const) {
      let count = 0
      const lost = operations.run(
        async () => {
          count++
          throw stopping
        },
        { repeatable: () => isRepeatable },
      )
      await expect(lost).rejects.toMatchObject({ reason: 'StorageUnavailable' })
      expect(count).toBe(attempts)
    }
  })

  it.each([new TypeError('a mistake of the program'), storageUnavailable('an answer of our own')])(
    'are not repeated after "%s"',
    async (error) => {
      const operations = createOperations({ limit: 1 })
      let count = 0
      const failing = async (): Promise<void> => {
        count++
        throw error
      }
      await expect(operations.run(failing, { repeatable: () => true })).rejects.toBe(error)
      expect(count).toBe(1)
    },
  )

  it('are awaited by close(), after which none begins', async () => {
    const operations = createOperations({ limit: 10 })
    const events: string[] = []
    const task = createTask()
    const running = operations.run(task.run).then(() => events.push('ended'))
    const failing = operations.run(async () => {
      await task.run()
      throw new TypeError('failed')
    })
    const closing = operations.close().then(() => events.push('closed'))
    await expect(operations.run(async () => {})).rejects.toMatchObject({ reason: 'StorageClosed' })
    expect(operations.mayAnswer()).toBe(false)
    task.end()
    await expect(failing).rejects.toThrow('failed')
    await Promise.all([running, closing])
    expect(events).toEqual(['ended', 'closed'])
  })
})
