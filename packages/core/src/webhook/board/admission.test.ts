import { describe, expect, it } from 'vitest'
import { createAdmission, createEntrant } from './admission.ts'
import type { Entrant } from './lanes.ts'

interface Rules {
  readonly concurrency?: number
  readonly queue?: number
  readonly on_busy?: 'queue' | 'reject' | 'latest'
}

/** Runs are named by their webhook and a number: `a1` belongs to the webhook `a`. */
function createFixture(limits = { concurrency: 100, queue: 1_000 }, rules: Rules = {}) {
  const current = { ...limits }
  const admission = createAdmission(() => current)
  const entrants = new Map<string, Entrant>()
  const entrant = (run_id: string, own: Rules = {}): Entrant => {
    const id = run_id.replace(/\d+$/, '')
    const usual = { concurrency: 1, queue: 100, on_busy: 'queue' as const }
    const made = entrants.get(run_id) ?? createEntrant(run_id, { id, ...usual, ...rules, ...own })
    entrants.set(run_id, made)
    return made
  }
  const leave = (run_id: string): void => admission.leave(entrant(run_id))
  return {
    admission,
    limits: current,
    entrant,
    enter: (run_id: string, own?: Rules) => admission.enter(entrant(run_id, own)),
    leave,
    /** Ends runs one after the other, in the order of their starts; returns the order in which others start. */
    drain(running: readonly string[]): string[] {
      const left = [...running]
      const started: string[] = []
      for (let ended = left.shift(); ended !== undefined; ended = left.shift()) {
        leave(ended)
        const placed = admission.fill()
        started.push(...placed)
        left.push(...placed)
      }
      return started
    },
  }
}

describe('a webhook', () => {
  it('has as many places as its concurrency', () => {
    const { enter } = createFixture()
    expect(['a1', 'a2', 'a3'].map((run) => enter(run, { concurrency: 2 }))).toEqual([
      'placed',
      'placed',
      'waiting',
    ])
  })

  it('has as many places as the whole server with a concurrency of 0', () => {
    const { enter } = createFixture({ concurrency: 3, queue: 10 }, { concurrency: 0 })
    expect(['a1', 'a2', 'a3', 'a4'].map((run) => enter(run))).toEqual([
      'placed',
      'placed',
      'placed',
      'waiting',
    ])
  })

  it('gives its places in the order of arrival', () => {
    const { admission, enter, drain } = createFixture()
    for (const run of ['a1', 'a2', 'a3', 'a4']) enter(run)
    expect(drain(['a1'])).toEqual(['a2', 'a3', 'a4'])
    expect(admission.busy()).toEqual([])
  })

  it('is full when its queue is', () => {
    const { admission, enter, leave } = createFixture(undefined, { queue: 1 })
    expect(['a1', 'a2', 'a3'].map((run) => enter(run))).toEqual(['placed', 'waiting', 'full'])
    expect(admission.counts('a')).toEqual({ running: 1, waiting: 1 })
    leave('a2')
    expect(enter('a4')).toBe('waiting')
  })

  it('has no queue with a queue of 0, nor with on_busy reject', () => {
    const { enter, leave } = createFixture()
    expect(['a1', 'a2'].map((run) => enter(run, { queue: 0 }))).toEqual(['placed', 'full'])
    expect(['b1', 'b2'].map((run) => enter(run, { on_busy: 'reject' }))).toEqual(['placed', 'full'])
    leave('b1')
    expect(enter('b3', { on_busy: 'reject' })).toBe('placed')
  })

  it('lets no new run pass waiting ones, even if it allows more places', () => {
    const { enter, drain } = createFixture()
    enter('a1')
    enter('a2')
    expect(enter('a3', { concurrency: 5 })).toBe('waiting')
    expect(drain(['a1'])).toEqual(['a2', 'a3'])
  })

  it('queues the latest run even if the queue is full, and reports which ones it replaces', () => {
    const { admission, enter, leave, entrant } = createFixture(
      { concurrency: 100, queue: 2 },
      { queue: 1, on_busy: 'latest' },
    )
    enter('a1')
    expect(enter('a2')).toBe('waiting')
    enter('b1')
    enter('b2')
    expect(enter('a3')).toBe('waiting')
    expect(admission.before(entrant('a3'))).toEqual(['a2'])
    leave('a2')
    expect(admission.before(entrant('a3'))).toEqual([])
    expect(admission.before(entrant('a1'))).toEqual([])
    expect(enter('c1')).toBe('placed')
    expect(enter('c2')).toBe('full') // the queue of the whole server is full: b2 and a3
    expect(enter('a4', { queue: 0 })).toBe('full')
  })
})

describe('the whole server', () => {
  it('has the places and the queue of its limits', () => {
    const { enter } = createFixture({ concurrency: 2, queue: 1 })
    expect(['a1', 'b1', 'c1', 'd1'].map((run) => enter(run))).toEqual([
      'placed',
      'placed',
      'waiting',
      'full',
    ])
  })

  it('gives its places to the webhooks in turn', () => {
    const { enter, drain } = createFixture({ concurrency: 1, queue: 100 }, { concurrency: 0 })
    for (const run of ['x1', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) enter(run)
    expect(drain(['x1'])).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('skips a webhook that has no place of its own', () => {
    const { admission, enter, leave } = createFixture({ concurrency: 2, queue: 100 })
    for (const run of ['a1', 'b1', 'a2', 'c1']) enter(run)
    leave('b1')
    expect(admission.fill()).toEqual(['c1'])
    leave('a1')
    expect(admission.fill()).toEqual(['a2'])
  })

  it('starts more runs when its limit is raised, and stops none when it is lowered', () => {
    const { admission, enter, leave, limits } = createFixture({ concurrency: 1, queue: 100 })
    for (const run of ['a1', 'b1', 'c1']) enter(run)
    expect(admission.fill()).toEqual([])
    limits.concurrency = 3
    expect(admission.fill()).toEqual(['b1', 'c1'])
    limits.concurrency = 1
    enter('d1')
    leave('a1')
    leave('b1')
    expect(admission.fill()).toEqual([])
    leave('c1')
    expect(admission.fill()).toEqual(['d1'])
  })

  it('counts a run that leaves twice once, and ignores unknown runs', () => {
    const { admission, enter, leave } = createFixture({ concurrency: 1, queue: 100 })
    enter('a1')
    enter('b1')
    leave('a1')
    leave('a1')
    leave('nobody')
    expect(admission.fill()).toEqual(['b1'])
    expect(enter('c1')).toBe('waiting')
    expect(admission.counts('b')).toEqual({ running: 1, waiting: 0 })
    expect(admission.counts('nobody')).toEqual({ running: 0, waiting: 0 })
  })
})
