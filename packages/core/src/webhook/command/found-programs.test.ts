import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/index.ts'
import { createFoundPrograms } from './found-programs.ts'

async function createFixture() {
  const workdir = await mkdtemp(join(tmpdir(), 'found-programs-test-'))
  onTestFinished(() => rm(workdir, { recursive: true, force: true }))
  const clock = createManualClock()
  const programs = createFoundPrograms(clock)
  const program = join(workdir, 'run')
  return {
    clock,
    programs,
    workdir,
    program,
    find: () => programs.find('./run', workdir, undefined),
    async create() {
      await writeFile(program, '#!/bin/sh\n')
      await chmod(program, 0o755)
    },
  }
}

const missing = { problem: 'the program was not found' }

it('a found program is cached for a second', async () => {
  const { clock, create, find, program } = await createFixture()
  await create()
  const found = { program, prefix: [] }
  expect(await find()).toEqual(found)
  await rm(program)
  clock.advance(999)
  expect(await find()).toEqual(found)
  clock.advance(1)
  expect(await find()).toEqual(missing)
})

it('a missing program is found as soon as it exists', async () => {
  const { create, find, program } = await createFixture()
  expect(await find()).toEqual(missing)
  await create()
  expect(await find()).toEqual({ program, prefix: [] })
})

it('a missing folder is reported', async () => {
  const { programs, workdir } = await createFixture()
  expect(await programs.find('/bin/sh', join(workdir, 'gone'), undefined)).toEqual({
    problem: 'the workdir does not exist',
  })
})

it('concurrent callers for the same program are answered in order', async () => {
  const { create, find } = await createFixture()
  await create()
  const order: number[] = []
  await Promise.all(Array.from({ length: 50 }, (_, index) => find().then(() => order.push(index))))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
})
