import { randomUUID } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runAs } from '../account.ts'
import { findPostgres, type PostgresPackage, preparePostgres } from './postgres-binaries.ts'

const found = findPostgres()
const reason = 'missing' in found ? ` (${found.missing})` : ''

describe.skipIf(reason !== '')(`the programs of PostgreSQL${reason}`, () => {
  let folder: string
  let incomplete: PostgresPackage
  const prepared: string[] = []

  /** As after an install without install scripts, in a folder that no other user can read. */
  beforeAll(async () => {
    if ('missing' in found) return
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'))
    const native = join(folder, 'native')
    const links = await linksBelow(join(found.native, 'lib'))
    await cp(found.native, native, { recursive: true, filter: (path) => !links.has(path) })
    await chmod(join(native, 'bin', 'postgres'), 0o644)
    return () => rm(folder, { recursive: true })
  })
  beforeEach(() => {
    incomplete = { native: join(folder, 'native'), version: randomUUID() }
  })
  afterEach(async () => {
    for (const copy of prepared.splice(0)) await rm(copy, { recursive: true })
  })

  it('run from where they are if they can', async () => {
    if ('missing' in found) return
    const { folder: first } = await preparePostgres(found)
    const { folder: second } = await preparePostgres(found)
    expect(second).toBe(first)
  })

  it('are copied and completed once if they cannot run from there, even when two processes ask at once', async () => {
    const [a, b] = await Promise.all([preparePostgres(incomplete), preparePostgres(incomplete)])
    prepared.push(a.folder)
    expect(a.folder).not.toBe(incomplete.native)
    expect(b).toEqual(a)
    const { output } = await runAs(a.account, join(a.folder, 'bin', 'postgres'), ['--version'])
    expect(output).toContain('PostgreSQL')
    expect(await copiesOf(incomplete)).toHaveLength(1)
    expect(await preparePostgres(incomplete)).toEqual(a)
  })

  it('are copied again when a part of the copy is gone', async () => {
    const { folder: copy, account } = await preparePostgres(incomplete)
    prepared.push(copy)
    await rm(join(copy, 'lib'), { recursive: true })
    expect(await preparePostgres(incomplete)).toEqual({ folder: copy, account })
    expect((await runAs(account, join(copy, 'bin', 'initdb'), ['--version'])).code).toBe(0)
    expect(await copiesOf(incomplete)).toHaveLength(1)
  })

  it('are not taken from a folder that other users can write to', async () => {
    const { folder: copy } = await preparePostgres(incomplete)
    prepared.push(copy)
    await chmod(copy, 0o777)
    await expect(preparePostgres(incomplete)).rejects.toThrow(`${copy} is not a folder`)
  })
})

async function linksBelow(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { withFileTypes: true })
  return new Set(
    entries.flatMap((entry) => (entry.isSymbolicLink() ? [join(folder, entry.name)] : [])),
  )
}

async function copiesOf({ version }: PostgresPackage): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.includes(version))
}
