import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { type RawAnswer, send } from './support/http.ts'
import { until } from './support/poll.ts'
import { processesWith, showsProcesses } from './support/processes.ts'
import { type Server, temporaryFolder } from './support/server.ts'
import { integrityOf } from './support/sqlite-file.ts'
import {
  ask,
  type RecordedRun,
  recordedRuns,
  startWebhooksServer,
  type TestWebhook,
  token,
} from './support/webhook-server.ts'

/** Distinguishes this test's commands from all others on the machine. */
const marker = `98765.${process.pid}${Date.now() % 1_000_000}`

const quick: TestWebhook = {
  id: 'quick',
  // A command records its run before it ends.
  execute_command: 'echo "$GATEHOUSE_RUN_ID" >> ran.txt',
  concurrency: 4,
  queue: 1_000,
}
/** Its clients never wait, so they are soon refused. */
const later: TestWebhook = { ...quick, id: 'later', mode: 'async', queue: isWide ? 300 : 60 }
const long: TestWebhook = {
  id: 'long',
  execute_command: `sleep ${marker} & sleep ${marker}`,
  mode: 'async',
  concurrency: 3,
  kill_grace: '300ms',
}
/** How many requests one server is sent at the same moment: each starts a process. */
const atOnce = isWide ? 500 : 100
const short: TestWebhook = { id: 'short', execute_command: 'sleep 0.3', concurrency: 2 }

let folder = ''
let server: Server | undefined

beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  server?.kill('SIGKILL')
  await server?.exited
  server = undefined
  for (const id of showsProcesses ? processesWith(marker) : []) process.kill(id, 'SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(
  webhooks: readonly TestWebhook[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Server> {
  server = await startWebhooksServer({ folder, webhooks, settings })
  return server
}

/** Clients that send requests until nothing listens; their responses. */
function startLoad(port: number, id: string, clients: number) {
  const answers: RawAnswer[] = []
  const client = async (): Promise<void> => {
    for (;;) {
      const answer = await ask(port, id).catch(() => undefined)
      if (answer === undefined || answer.status === 0) return
      answers.push(answer)
      // Refused clients that asked again at once would leave the commands no time on a busy machine.
      if (answer.status === 429) await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const done = Promise.all(Array.from({ length: clients }, client))
  return { answers, done }
}

const runIdOf = ({ body }: RawAnswer): string => JSON.parse(body).run_id

const isOpen = ({ status }: RecordedRun): boolean => status === 'running' || status === 'queued'

/** The runs whose command has recorded that it ran. */
async function ranRuns(): Promise<ReadonlySet<string>> {
  const text = await readFile(join(folder, 'ran.txt'), 'utf8').catch(() => '')
  return new Set(text.split('\n'))
}

/** A record says that a command ran if and only if it did. For one that was cut off, either is possible. */
async function recordsAreTrue(records: Iterable<RecordedRun>): Promise<void> {
  const ran = await ranRuns()
  const wrong: unknown[] = []
  for (const record of records) {
    if (record.id !== 'quick' && record.id !== 'later') continue
    const hasRun = ran.has(record.run_id)
    if (record.status === 'succeeded' && !hasRun) wrong.push(record)
    if (record.status === 'canceled' && hasRun) wrong.push(record)
  }
  expect(wrong).toEqual([])
}

describe('gatehouse api with webhooks, at SIGTERM under load', () => {
  it('answers every client, exits with 0, leaves no command behind, and has a record of all runs', {
    timeout: 120_000,
  }, async () => {
    const webhooks = [quick, later, long, short]
    const started = await start(webhooks, { shutdown_grace: '500ms' })
    const { port } = started
    const asked = Array.from({ length: 5 }, () => ask(port, 'long'))
    const long202 = await Promise.all(asked)
    expect(long202.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    const loads = ['quick', 'later', 'short'].map((id) => startLoad(port, id, 6))
    await until('the load is under way, and more than one webhook lets wait', () => {
      const isUnderWay = loads.every(({ answers }) => answers.length >= 10)
      const isRefusing = loads.some(({ answers }) => answers.some(({ status }) => status === 429))
      return (isUnderWay && isRefusing) || undefined
    })
    const waiting = Array.from({ length: 6 }, () => ask(port, 'short'))
    await until('they have arrived', async () => {
      const runs = [...(await recordedRuns(port)).values()]
      return runs.filter(({ id, status }) => id === 'short' && status === 'queued').length >= 4
        ? true
        : undefined
    })

    started.kill('SIGTERM')
    expect(await started.exited).toEqual({ code: 0, signal: null })
    if (showsProcesses) expect(processesWith(marker)).toEqual([])
    await Promise.all(loads.map(({ done }) => done))
    const lastAnswers = await Promise.all(waiting)
    expect(lastAnswers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect(lastAnswers.some(({ status }) => status === 503)).toBe(true)

    const answers = loads.flatMap((load) => load.answers)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 202, 429, 503]))
    const records = await recordedRuns((await start(webhooks)).port)
    const acknowledged = [...long202, ...answers.filter(({ status }) => status < 300)].map(runIdOf)
    expect(acknowledged.filter((id) => !records.has(id))).toEqual([])
    expect([...records.values()].filter(isOpen)).toEqual([])
    for (const id of long202.map(runIdOf)) {
      expect(records.get(id)).toMatchObject({ status: 'canceled', reason: 'shutdown' })
    }
    await recordsAreTrue(records.values())
  })

  it('kills all commands and exits with 143 at a second signal', async () => {
    const stubborn = { ...long, execute_command: `trap '' TERM; sleep ${marker}; sleep ${marker}` }
    const started = await start([stubborn], { shutdown_grace: '1h' })
    const { port } = started
    const answer = await ask(port, 'long')
    await until('it runs', async () => {
      const record = (await recordedRuns(port)).get(runIdOf(answer))
      return record?.status === 'running' || undefined
    })
    started.kill('SIGTERM')
    await until('nobody listens', () =>
      ask(port, 'long').then(
        () => undefined,
        () => true,
      ),
    )
    started.kill('SIGTERM')
    expect(await started.exited).toEqual({ code: 143, signal: null })
    if (showsProcesses) {
      await until('its processes are gone', () => processesWith(marker).length === 0 || undefined)
    }
  })
})

describe('gatehouse api with webhooks, after SIGKILL under load', () => {
  it('has a record of every acknowledged run, and marks interrupted ones as lost', {
    timeout: 120_000,
  }, async () => {
    const webhooks = [quick, later, long]
    const started = await start(webhooks)
    const { port } = started
    const cutOff = (await Promise.all([ask(port, 'long'), ask(port, 'long')])).map(runIdOf)
    const loads = ['quick', 'later'].map((id) => startLoad(port, id, 6))
    await until('the load is under way', () =>
      loads.every(({ answers }) => answers.length >= 50) ? true : undefined,
    )
    started.kill('SIGKILL')
    await started.exited
    await Promise.all(loads.map(({ done }) => done))
    expect(new Set(Object.values(await integrityOf(folder)))).toEqual(new Set(['ok']))

    const { port: again } = await start(webhooks)
    const acknowledged = loads.flatMap(({ answers }) =>
      answers.filter(({ status }) => status < 300).map(runIdOf),
    )
    const records = await until(
      'nothing is open any more',
      async () => {
        const found = await recordedRuns(again)
        return [...found.values()].some(isOpen) ? undefined : found
      },
      { withinMs: 90_000, everyMs: 500 },
    )
    expect(acknowledged.filter((id) => !records.has(id))).toEqual([])
    expect(cutOff.map((id) => records.get(id)?.status)).toEqual(['lost', 'lost'])
    await recordsAreTrue(records.values())
    expect((await ask(again, 'quick')).status).toBe(200)
  })
})

describe('gatehouse api with webhooks, and its clients', () => {
  let shared = ''
  let serving: Server
  let port = 0

  beforeAll(async () => {
    const many = { ...quick, id: 'many', concurrency: 0 }
    const few = { ...short, id: 'few', execute_command: 'sleep 0.05', concurrency: 1, queue: 5 }
    const stays = { ...quick, id: 'stays', execute_command: 'sleep 0.3' }
    const cancels = { ...long, id: 'cancels', mode: 'sync', on_disconnect: 'cancel' }
    shared = await temporaryFolder()
    const webhooks = [quick, many, few, stays, cancels]
    serving = await startWebhooksServer({ folder: shared, webhooks })
    port = serving.port
  })
  afterAll(async () => {
    serving.kill('SIGKILL')
    await serving.exited
    await rm(shared, { recursive: true, force: true })
  })

  it(`answers ${atOnce} requests at once`, { timeout: 120_000 }, async () => {
    const all = await Promise.all(Array.from({ length: atOnce }, () => ask(port, 'many')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(all.map(runIdOf)).size).toBe(atOnce)

    const some = await Promise.all(Array.from({ length: atOnce }, () => ask(port, 'few')))
    const statuses = some.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(6)
    expect((await send(port, { method: 'GET', path: '/healthz' })).status).toBe(200)
  })

  it('drops clients that disconnect, and ends their commands if configured', async () => {
    const begun = ['stays', 'cancels'].map((id) => leave(port, id))
    const recordOf = async (id: string): Promise<RecordedRun | undefined> =>
      [...(await recordedRuns(port)).values()].find((record) => record.id === id)
    await until('both run', async () => {
      const statuses = await Promise.all(['stays', 'cancels'].map(recordOf))
      return statuses.every((record) => record?.status === 'running') || undefined
    })
    for (const socket of begun) socket.destroy()
    const canceled = { status: 'canceled', reason: 'disconnect' }
    await expect.poll(() => recordOf('cancels')).toMatchObject(canceled)
    if (showsProcesses) expect(processesWith(marker)).toEqual([])
    const succeeded = { status: 'succeeded' }
    await expect.poll(() => recordOf('stays')).toMatchObject(succeeded)
  })

  it('runs nothing for a client that disconnects before its request is complete', async () => {
    const before = (await recordedRuns(port)).size
    for (let i = 0; i < 50; i++) leave(port, 'quick', 10).end()
    for (let i = 0; i < 50; i++) leave(port, 'quick', 10).destroy()
    expect((await ask(port, 'quick')).status).toBe(200)
    expect((await recordedRuns(port)).size).toBe(before + 1)
  })
})

/** Sends a request, or all but its last bytes, and returns the connection to close. */
function leave(port: number, id: string, missing = 0) {
  const body = JSON.stringify({ id, token })
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const head = `POST /webhook HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body.slice(0, body.length - missing))
  return socket
}
