import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Serving, serveCli } from '../main.fixture.ts'

const alertmanager = `route: { receiver: team }
receivers: [{ name: team }]
event_recorder: { file_outputs: [{ path: events.json }] }
`
let folder: string
let server: Serving | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  writeFileSync(join(folder, 'alertmanager.yml'), alertmanager)
})
afterEach(async () => {
  server?.signal('SIGKILL')
  await server?.ended
  rmSync(folder, { recursive: true })
})

const post = async (alertname: string): Promise<void> => {
  const response = await fetch(`${server?.url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ labels: { alertname } }]),
  })
  expect(response.status).toBe(200)
}

const events = (): string[] => {
  try {
    const lines = readFileSync(join(folder, 'events.json'), 'utf8').trimEnd().split('\n')
    return lines.flatMap((line) => Object.keys(JSON.parse(line).data))
  } catch {
    return [] // not made yet
  }
}

const args = ['alertmanager', '--web.listen-address=127.0.0.1:0', '--storage.memory']

describe('the event recorder of the command', () => {
  it('writes a file, and makes it again when it was moved away', async () => {
    server = await serveCli([...args, '--enable-feature=event-recorder'], folder)
    await post('A')
    await expect
      .poll(events, { timeout: 60_000 })
      .toEqual(['startup', 'alertCreated', 'alertGrouped'])
    expect(statSync(join(folder, 'events.json')).mode & 0o007).toBe(0)
    renameSync(join(folder, 'events.json'), join(folder, 'events.json.1'))
    await post('B')
    await expect.poll(events, { timeout: 60_000 }).toEqual(['alertCreated', 'alertGrouped'])
    server.signal('SIGTERM')
    await server.ended
    expect(events().at(-1)).toBe('shutdown')
  })

  it('writes nothing without its feature, and says so', async () => {
    server = await serveCli(args, folder)
    await post('A')
    server.signal('SIGTERM')
    const { stderr } = await server.ended
    expect(stderr).toContain('event_recorder needs --enable-feature=event-recorder')
    expect(events()).toEqual([])
  })

  it('needs no feature with gatehouse api', async () => {
    writeFileSync(
      join(folder, 'gatehouse.yml'),
      `listen: 127.0.0.1:0\nstorage: { memory: true }\nalerts: { config: alertmanager.yml }\n`,
    )
    server = await serveCli(['api', '--config', 'gatehouse.yml'], folder)
    await post('A')
    await expect
      .poll(events, { timeout: 60_000 })
      .toEqual(['startup', 'alertCreated', 'alertGrouped'])
  })
})
