import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { alertsCollections } from '@gatehouse/core/alerts'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli, runHere } from '../src/main.fixture.ts'
import { temporaryFolder } from './support/server.ts'

let folder = ''
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const check = (...args: readonly string[]) => runHere(['storage', 'check-records', ...args], folder)

describe('gatehouse storage check-records', () => {
  it('lists unreadable records without their values, and removes them on request', async () => {
    const filename = join(folder, 'gatehouse.db')
    const storage = createSqliteStorage({ filename })
    const alerts = alertsCollections.find(({ name }) => name === 'alerts')
    if (alerts === undefined) throw new Error('there is no such collection')
    const at = Date.UTC(2026, 0, 1)
    const good = { labels: {}, annotations: {}, startsAt: at, endsAt: at, updatedAt: at }
    await storage.commit([
      { collection: alerts, id: 'good', value: good },
      { collection: alerts, id: 'bad', value: { ...good, endsAt: 1e18 } },
    ])
    await storage.close()
    const line = 'alerts "bad": endsAt: expected an instant'
    const built = await runCli(['storage', 'check-records', '--sqlite', filename], folder)
    expect(built).toMatchObject({ exitCode: 1, stdout: `${line}\n` })
    expect(await check('--sqlite', filename, '--remove')).toMatchObject({
      exitCode: 0,
      stdout: `${line} (removed)\n`,
    })
    expect(await check('--sqlite', filename)).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('creates no database, and requires one by name', async () => {
    const missing = await check('--sqlite', join(folder, 'none.db'))
    expect(missing).toMatchObject({ exitCode: 2 })
    expect(missing.stderr).toContain('none.db: no such file')
    expect((await check()).stderr).toContain('name one database')
  })
})
