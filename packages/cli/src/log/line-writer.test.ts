import { expect, it } from 'vitest'
import { createLineWriter } from './line-writer.ts'

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function writing() {
  const written: string[] = []
  let exit = (): void => {}
  const write = createLineWriter({
    write: (text) => written.push(text),
    atExit: (end) => {
      exit = end
    },
  })
  return { written, write, exit: () => exit() }
}

it('writes the lines of a turn together at its end', async () => {
  const { written, write } = writing()
  for (const line of ['a\n', 'b\n', 'c\n']) write(line)
  expect(written).toEqual([])
  await endOfTurn()
  expect(written).toEqual(['a\nb\nc\n'])
})

it('writes pending lines when the program exits', async () => {
  const { written, write, exit } = writing()
  for (const line of ['a\n', 'b\n']) write(line)
  exit()
  expect(written).toEqual(['a\nb\n'])
  await endOfTurn()
  expect(written).toEqual(['a\nb\n'])
})
