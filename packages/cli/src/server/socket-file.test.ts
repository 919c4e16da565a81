import { existsSync, linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '@gatehouse/core'
import { textAnswer } from '@gatehouse/core/adapter'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../listen.ts'

let folder = ''
let path = ''
let running: Listening[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  path = join(folder, 'socket')
})
afterEach(async () => {
  for (const listening of running) await listening.stop(0)
  running = []
  rmSync(folder, { recursive: true })
})

const answering = (text: string): Route => ({
  method: '*',
  path: '/*',
  answer: async () => textAnswer(200, text, {}),
})

async function serve(text: string): Promise<Listening> {
  const listening = await listen({ routes: [answering(text)], places: [{ path }] })
  running.push(listening)
  return listening
}

function get(): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: path, path: '/', agent: false }, (incoming) => {
      incoming.setEncoding('utf8').once('data', resolve)
    })
    outgoing.once('error', reject)
    outgoing.end()
  })
}

/** Leaves a socket file, as a killed server does. */
async function leaveSocket(): Promise<void> {
  const dead = createServer()
  await new Promise<void>((resolve) => dead.listen(`${path}.new`, resolve))
  linkSync(`${path}.new`, path)
  await new Promise((resolve) => dead.close(resolve))
}

describe('a socket file', () => {
  it('is accessible to its user and group, and is removed once the server has stopped', async () => {
    const listening = await serve('here')
    expect(statSync(path).mode & 0o777).toBe(0o660)
    expect(await get()).toBe('here')
    expect(await listening.stop(1_000)).toBe(true)
    expect(existsSync(path)).toBe(false)
  })

  it('replaces the file that a killed server has left behind', async () => {
    await leaveSocket()
    expect(existsSync(path)).toBe(true)
    await serve('new')
    expect(await get()).toBe('new')
  })

  it('keeps the file if a server listens there', async () => {
    await serve('first')
    await expect(serve('second')).rejects.toThrow(
      `cannot listen on unix:${path}: another server listens there`,
    )
    expect(await get()).toBe('first')
  })

  it('keeps a file that is not a socket', async () => {
    writeFileSync(path, 'precious')
    await expect(serve('here')).rejects.toThrow(
      `cannot listen on unix:${path}: a file that is not a socket is in the way`,
    )
    expect(existsSync(path)).toBe(true)
  })

  it('is removed by a program that exits without stopping the server', async () => {
    const listening = await serve('here')
    listening.abandon()
    expect(existsSync(path)).toBe(false)
    listening.abandon()
  })
})
