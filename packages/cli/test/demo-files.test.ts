import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoFiles, forPlace } from '../../../scripts/demo-files.mjs'
import { demoToken } from '../../../scripts/demo-jobs.mjs'
import { launchFile, main } from './support/api-server.ts'
import { run } from './support/run.ts'
import { type Server, temporaryFolder } from './support/server.ts'

const here = { inboxPort: 9094, host: '127.0.0.1' }

describe('the files of npm start', () => {
  let folder = ''
  let server: Server
  beforeAll(async () => {
    folder = await temporaryFolder()
    for (const [name, text] of Object.entries(demoFiles(here))) {
      await writeFile(join(folder, name), text, { mode: 0o600 })
    }
    server = await launchFile(join(folder, 'gatehouse.yml'), ['--listen', '127.0.0.1:0'])
    return async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })

  const get = async (path: string): Promise<unknown> => (await fetch(server.url + path)).json()
  const post = (path: string, body: object): Promise<Response> =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('pass the check without a warning', async () => {
    const { code, stdout, stderr } = await run(process.execPath, [
      main,
      'check',
      '--strict',
      '--config',
      join(folder, 'gatehouse.yml'),
    ])
    expect({ code, text: stdout + stderr }).toEqual({
      code: 0,
      text: expect.not.stringMatching(/warn/i),
    })
  })

  it('let everybody on this machine see people, and run webhooks with the token', async () => {
    expect(await get('/gatehouse/v1/me')).toMatchObject({
      subject: null,
      actions: expect.arrayContaining(['users:manage', 'silences:write']),
    })
    expect(await get('/gatehouse/v1/users')).toMatchObject({ items: [] })
    const answer = await post('/webhook', {
      id: 'hello',
      token: demoToken,
      data: { name: 'world' },
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'succeeded', stdout: 'Hello, world\n' })
  })

  it('name the inbox, and give strangers fewer rights than this machine', () => {
    const files = demoFiles({ inboxPort: 1234, host: '0.0.0.0' })
    expect(files['alertmanager.yml']?.match(/127\.0\.0\.1:1234/g)).toHaveLength(2)
    expect(files['gatehouse.yml']).toMatch(/^ {2}anonymous: editor$/m)
  })

  it('follow the port and the host of a later start, as far as nobody changed them', () => {
    const { 'gatehouse.yml': server = '', 'alertmanager.yml': alerts = '' } = demoFiles(here)
    const there = { inboxPort: 8081, host: '192.168.0.2' }
    expect(server).toMatch(/^ {2}anonymous: admin$/m)
    expect(forPlace(server, there)).toMatch(/^ {2}anonymous: editor$/m)
    expect(forPlace(forPlace(server, there), here)).toBe(server)
    expect(forPlace(alerts, there)).toContain('http://127.0.0.1:8081/on-call')
    const own = 'access:\n  anonymous: viewer\n'
    expect(forPlace(own, there)).toBe(own)
  })
})
