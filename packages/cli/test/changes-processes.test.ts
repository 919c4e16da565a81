import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { type Fleet, startFleet } from './support/fleet.ts'
import { jsonPost, send } from './support/http.ts'
import { temporaryFolder } from './support/server.ts'

interface Change {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Everything up to here was received. */
  readonly position: string | undefined
}

/** The changes that a process sends. */
async function* changesOf(port: number, position?: string): AsyncGenerator<Change> {
  const headers = position === undefined ? {} : { 'last-event-id': position }
  const { body } = await fetch(`http://127.0.0.1:${port}/gatehouse/v1/changes`, { headers })
  const decoder = new TextDecoder()
  let rest = ''
  let reached = position
  for await (const chunk of body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, type, data] = /^event: (.+)\ndata: (.*)$/.exec(block) ?? []
      if (type !== undefined) yield { type, data: JSON.parse(data ?? ''), position: reached }
      else if (block.startsWith('id: ')) reached = block.slice('id: '.length)
    }
  }
}

/** Reads until every test has found its change, in any order. Returns the last one. */
async function found(
  changes: AsyncGenerator<Change>,
  ...tests: ((change: Change) => boolean)[]
): Promise<Change | undefined> {
  let left = tests
  let last: Change | undefined
  while (left.length > 0) {
    const { value } = await changes.next()
    if (value === undefined) throw new Error('the stream has ended')
    last = value
    left = left.filter((fits) => !fits(value))
  }
  return last
}

const isSilence =
  (comment: string) =>
  ({ type, data }: Change): boolean =>
    type === 'silence' && data.comment === comment
const isAlert =
  (name: string) =>
  ({ type, data }: Change): boolean =>
    type === 'alert' && (data.labels as Record<string, unknown>).alertname === name

describeWithPostgres('listeners of two processes on one PostgreSQL', () => {
  let url = ''
  let folder = ''
  let fleet: Fleet

  beforeAll(async () => {
    url = await freshDatabase()
    folder = await temporaryFolder()
    fleet = await startFleet({ size: 2, folder, storage: { postgres: url, max_connections: 4 } })
  })
  afterAll(async () => {
    await fleet?.end()
    await rm(folder, { recursive: true, force: true })
    await dropDatabase(url)
  })

  const silence = (port: number, comment: string) =>
    send(
      port,
      jsonPost('/api/v2/silences', {
        matchers: [{ name: 'alertname', value: 'Disk', isRegex: false }],
        startsAt: new Date().toISOString(),
        endsAt: new Date(Date.now() + 600_000).toISOString(),
        createdBy: 'maya',
        comment,
      }),
    )
  const post = (port: number, alertname: string) =>
    send(port, jsonPost('/api/v2/alerts', [{ labels: { alertname } }]))

  it('see what the other one stored, and resume in it when theirs is killed', {
    timeout: 120_000,
  }, async () => {
    const [one, two] = fleet.servers
    if (one === undefined || two === undefined) throw new Error('two servers are needed')
    const listeners = [changesOf(one.port), changesOf(two.port)]
    for (const listener of listeners) {
      expect(await found(listener, () => true)).toMatchObject({ data: { resumed: false } })
    }
    await post(one.port, 'Disk')
    await silence(two.port, 'from two')
    await silence(one.port, 'from one')
    let position: string | undefined
    for (const listener of listeners) {
      await found(listener, isSilence('from two'), isSilence('from one'))
      const later = `Later ${listeners.indexOf(listener)}`
      await post(one.port, later)
      position = (await found(listener, isAlert(later)))?.position
    }

    await fleet.replace(1)
    const left = fleet.servers.find(({ port }) => [one.port, two.port].includes(port)) ?? one
    await post(left.port, 'Missed')
    await silence(left.port, 'missed')
    for (const { port } of fleet.servers) {
      const again = changesOf(port, position)
      expect(await found(again, () => true)).toMatchObject({ data: { resumed: true } })
      await found(again, isSilence('missed'), isAlert('Missed'))
      await again.return(undefined)
    }
  })
})
