import { describe, expect, it } from 'vitest'
import type { RunOutputs } from '../records/run-record.ts'
import type { OutputStream } from '../runner/command.ts'
import { createLiveOutput, type LiveOutputOptions } from './live-output.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const nothing = { bytes: new Uint8Array(), total: 0 }

const ended = (text: string): RunOutputs => ({
  stdout: { bytes: bytesOf(text), total: text.length },
  stderr: nothing,
  keep: 'head',
})

function createFixture(options: Partial<LiveOutputOptions> = {}) {
  const failures: unknown[] = []
  const output = createLiveOutput({
    limit: 10,
    keep: 'head',
    waits: false,
    onFailure: (error) => failures.push(error),
    ...options,
  })
  return { output, failures }
}

/** A reader that records what it gets, and takes a piece only when the test says so. */
function createReader() {
  const seen: [OutputStream, string][] = []
  let next: (() => void)[] = []
  return {
    seen,
    listener: (stream: OutputStream, chunk: Uint8Array): Promise<void> => {
      seen.push([stream, textOf(chunk)])
      return new Promise((resolve) => next.push(resolve))
    },
    /** Takes the pending piece, and waits for the next one. */
    async take() {
      const taken = next
      next = []
      for (const go of taken) go()
      await settled()
    },
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('the kept output', () => {
  it('is the beginning, or the end, of each stream', () => {
    for (const [keep, stdout] of [
      ['head', '0123456789'],
      ['tail', '9abcdefghi'],
    ] as const) {
      const { output } = createFixture({ keep })
      for (const piece of ['01234', '56789ab', 'cdefgh', 'i']) {
        void output.add('stdout', bytesOf(piece))
      }
      void output.add('stderr', bytesOf('E'))
      const kept = output.outputs()
      expect(textOf(kept.stdout.bytes)).toBe(stdout)
      expect(kept.stdout.total).toBe(19)
      expect([textOf(kept.stderr.bytes), kept.stderr.total]).toEqual(['E', 1])
    }
  })

  it('is the end even of pieces larger than the limit, and of many small ones', () => {
    const { output } = createFixture({ keep: 'tail', limit: 3 })
    void output.add('stdout', bytesOf('abcdefgh'))
    expect(textOf(output.outputs().stdout.bytes)).toBe('fgh')
    for (const letter of 'ijklmnop') {
      void output.add('stdout', bytesOf(letter))
      expect(textOf(output.outputs().stdout.bytes).endsWith(letter)).toBe(true)
    }
    expect(textOf(output.outputs().stdout.bytes)).toBe('nop')
  })

  it('is the final output once the run has ended', () => {
    const { output } = createFixture()
    void output.add('stdout', bytesOf('abc'))
    output.end(ended('abc and more'))
    expect(output.outputs()).toEqual(ended('abc and more'))
  })
})

describe('a follower', () => {
  it('gets the kept output, then new output, then the end', async () => {
    const { output } = createFixture()
    void output.add('stderr', bytesOf('b'))
    void output.add('stdout', bytesOf('a'))
    const seen: string[] = []
    const { done } = output.follow((stream, chunk) => {
      seen.push(`${stream} ${textOf(chunk)}`)
    })
    void output.add('stdout', bytesOf('c'))
    output.end(ended('ac'))
    await done
    expect(seen).toEqual(['stdout a', 'stderr b', 'stdout c'])
  })

  it('gets the kept output of a run that has ended', async () => {
    const { output } = createFixture()
    output.end(ended('all of it'))
    const seen: string[] = []
    await output.follow((_, chunk) => {
      seen.push(textOf(chunk))
    }).done
    expect(seen).toEqual(['all of it'])
  })

  it('gets one piece at a time', async () => {
    const { output } = createFixture()
    const reader = createReader()
    const { done } = output.follow(reader.listener)
    for (const piece of ['a', 'b']) void output.add('stdout', bytesOf(piece))
    output.end(ended('ab'))
    await settled()
    expect(reader.seen).toEqual([['stdout', 'a']])
    await reader.take()
    expect(reader.seen).toHaveLength(2)
    await reader.take()
    await done
  })

  it('makes the command wait once it is far behind, if the command waits for readers', async () => {
    const { output } = createFixture({ waits: true })
    const reader = createReader()
    output.follow(reader.listener)
    const piece = new Uint8Array(200 * 1_024)
    expect(output.add('stdout', piece)).toBeUndefined()
    const waits = output.add('stdout', piece)
    let isFree = false
    void waits?.then(() => {
      isFree = true
    })
    await settled()
    expect(isFree).toBe(false)
    await reader.take()
    expect(isFree).toBe(true)
    await reader.take()
    expect(reader.seen).toHaveLength(2)
  })

  it('makes the command wait once many small pieces are pending', () => {
    const { output } = createFixture({ waits: true })
    output.follow(createReader().listener)
    const answers = Array.from({ length: 300 }, () => output.add('stdout', bytesOf('x')))
    expect(answers.findIndex((answer) => answer !== undefined)).toBe(256)
  })

  it('misses output that it cannot take, if the command does not wait', async () => {
    const { output } = createFixture()
    const reader = createReader()
    const { done } = output.follow(reader.listener)
    const piece = new Uint8Array(100 * 1_024)
    for (let index = 0; index < 50; index++) {
      expect(output.add('stdout', piece)).toBeUndefined()
    }
    output.end(ended(''))
    for (let index = 0; index < 50; index++) await reader.take()
    await done
    expect(reader.seen).toHaveLength(3)
  })

  it('gets nothing more once it stops, and makes nobody wait', async () => {
    const { output } = createFixture({ waits: true })
    const reader = createReader()
    const { done, stop } = output.follow(reader.listener)
    const piece = new Uint8Array(300 * 1_024)
    const waits = output.add('stdout', piece)
    stop()
    await Promise.all([done, waits])
    expect(output.add('stdout', piece)).toBeUndefined()
    await reader.take()
    expect(reader.seen).toHaveLength(1)
  })

  it('gets nothing more once it fails; others continue', async () => {
    const { output, failures } = createFixture()
    const seen: string[] = []
    const broken = output.follow(() => {
      throw new Error('cannot read')
    })
    const whole = output.follow((_, chunk) => {
      seen.push(textOf(chunk))
    })
    for (const piece of ['a', 'b']) void output.add('stdout', bytesOf(piece))
    await broken.done
    output.end(ended('ab'))
    await whole.done
    expect(seen).toEqual(['a', 'b'])
    expect(failures).toEqual([new Error('cannot read')])
  })
})
