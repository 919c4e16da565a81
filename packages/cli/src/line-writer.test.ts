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

it('writes a line at once, and those that follow in the same turn together at its end', async () => {
  const { written, write } = writing()
  for (const line of ['a\n', 'b\n', 'c\n']) write(line)
  expect(written).toEqual(['a\n'])
  await endOfTurn()
  expect(written).toEqual(['a\n', 'b\nc\n'])
  write('d\n')
  expect(written).toEqual(['a\n', 'b\nc\n', 'd\n'])
})

it('writes what waits when the program ends', async () => {
  const { written, write, exit } = writing()
  for (const line of ['a\n', 'b\n']) write(line)
  exit()
  expect(written).toEqual(['a\n', 'b\n'])
  await endOfTurn()
  expect(written).toEqual(['a\n', 'b\n'])
})
