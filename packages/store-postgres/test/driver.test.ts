import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleFixture, startFixture } from '../../../test-support/fixture-process.ts'

describe('without pg', () => {
  it('says what to install, and exits cleanly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-postgres-'))
    const file = await bundleFixture(new URL('./open.fixture.ts', import.meta.url), { folder })
    const { lines, ended } = startFixture(file, [])
    expect(await ended).toBe(0)
    expect(lines[0]).toBe('StorageDriverMissing')
    expect(lines[1]).toContain('npm install pg')
    await rm(folder, { recursive: true })
  })
})
