import { expect, it } from 'vitest'
import { type Progress, startProgress } from './progress.ts'

function started(isTTY: boolean): {
  progress: Progress
  written: string[]
  advance(ms: number): void
} {
  let now = 5
  const written: string[] = []
  const stream = { isTTY, write: (text: string) => written.push(text) }
  const progress = startProgress((count, seconds) => `saved ${count} in ${seconds} s`, {
    stream,
    now: () => now,
  })
  return {
    progress,
    written,
    advance: (ms) => {
      now += ms
    },
  }
}

const erase = '\r\u001b[K'

it('progress is one line of a terminal, after two seconds and then every second', () => {
  const { progress, written, advance } = started(true)
  progress.at(1)
  advance(1_999)
  progress.at(2)
  expect(written).toEqual([])
  advance(1)
  progress.at(3)
  progress.at(4)
  expect(written).toEqual(['saved 3 in 2 s'])
  advance(1_000)
  progress.at(5)
  expect(written.slice(1)).toEqual([erase, 'saved 5 in 3 s'])
  progress.end()
  expect(written.slice(3)).toEqual([erase])
})

it('progress writes nothing to a file or a pipe, and nothing for work that is quick', () => {
  const piped = started(false)
  piped.advance(60_000)
  piped.progress.at(1)
  piped.progress.end()
  const quick = started(true)
  quick.progress.at(1)
  quick.progress.end()
  expect([...piped.written, ...quick.written]).toEqual([])
})
