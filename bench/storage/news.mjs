// Two storages on one database: how fast one learns of the other's commits.
import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { createPostgresStorage } from '@gatehouse/store-postgres'
import { entryOf, fed, idOf } from './records.mjs'

/** @typedef {import('./places.mjs').Place} Place */
/** @typedef {import('@gatehouse/core').Storage} Storage */

const followEveryMs = 5
const seenWithinMs = 5_000
/** Warm-up commits, during which the other storage starts to listen. */
const warmUpNews = 20

/**
 * Does work with the storage of a place while another storage on the same database reads the changes every few milliseconds.
 *
 * @template T
 * @param {Place} place
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function whileFollowed({ storage, url }, work) {
  const other = createPostgresStorage({ url })
  try {
    let isOver = false
    const following = (async () => {
      let { revision } = await fed.changes(other, 0)
      while (!isOver) {
        revision = (await fed.changes(other, revision)).revision
        await setTimeout(followEveryMs)
      }
    })()
    const working = work().finally(() => {
      isOver = true
    })
    const [result] = await Promise.all([working, following])
    await until(async () => {
      const [here, there] = [await fed.changes(storage, 0), await fed.changes(other, 0)]
      return here.revision === there.revision
    })
    return result
  } finally {
    await other.close()
  }
}

/**
 * How long after the acknowledgement of a commit another storage, polled in a loop, returns it.
 *
 * @param {Place} place
 * @param {number} count
 * @returns {Promise<number[]>} in milliseconds; 0 if it was returned before the acknowledgement
 */
export async function newsDelays({ storage, url }, count) {
  const other = createPostgresStorage({ url })
  try {
    const delays = []
    let { revision } = await fed.changes(other, 0)
    for (let turn = 1; turn <= warmUpNews + count; turn++) {
      const id = idOf(turn % 100)
      const commit = async () => {
        await storage.commit([fed.write(id, entryOf(0, turn))])
        return performance.now()
      }
      const see = async () => {
        await until(async () => {
          const changes = await fed.changes(other, revision)
          if ('reset' in changes) throw new Error('the feed has lost what was just committed')
          revision = changes.revision
          return changes.written.some((record) => record.id === id && record.value.turn === turn)
        })
        return performance.now()
      }
      const [committedAt, seenAt] = await Promise.all([commit(), see()])
      if (turn > warmUpNews) delays.push(Math.max(0, seenAt - committedAt))
    }
    return delays
  } finally {
    await other.close()
  }
}

/** @param {() => Promise<boolean>} condition checked in every turn of the event loop */
async function until(condition) {
  const deadline = performance.now() + seenWithinMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`no change seen within ${seenWithinMs} ms`)
    await setImmediate()
  }
}
