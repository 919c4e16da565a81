import { copyFileSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, silentLogger } from '@gatehouse/core'
import { defineCollection } from '@gatehouse/core/store'
import { createManualClock } from '@gatehouse/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  createSmallDisk,
  describeWithSmallDisk,
  type SmallDisk,
} from '../../../test-support/small-disk.ts'
import { createSqliteStorage } from './index.ts'

const notes = defineCollection<{ text: string }>({ name: 'notes', feed: true })
const megabyte = 1024 * 1024

describeWithSmallDisk('on a full disk', () => {
  let disk: SmallDisk
  let filename = ''
  let warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_, message) => void warnings.push(message) }
  const clock = createManualClock()

  beforeEach(async () => {
    disk = createSmallDisk(12)
    filename = join(disk.folder, 'test.db')
    warnings = []
  })
  afterEach(() => disk.remove())

  const open = (reserveBytes = megabyte) =>
    createSqliteStorage({ filename, reserveBytes, clock, logger })

  it('opens and reads a closed database, with and without a reserve', async () => {
    const first = open()
    await first.commit([notes.write('a', { text: 'kept' })])
    await first.close()
    // Copies, because a driver may keep a closed file open.
    const [full, bare] = [`${filename}.full`, `${filename}.bare`] as const
    renameSync(`${filename}-reserve`, `${full}-reserve`)
    copyFileSync(filename, full)
    copyFileSync(filename, bare)
    disk.fill()
    filename = full
    const withReserve = open()
    expect((await notes.get(withReserve, 'a'))?.value.text).toBe('kept')
    await withReserve.commit([notes.write('a', { text: 'in the room of the reserve' })])
    await withReserve.close()
    expect(existsSync(`${filename}-reserve`)).toBe(false)

    disk.fill()
    filename = bare
    const without = open()
    expect((await notes.get(without, 'a'))?.value.text).toBe('kept')
    await expect(
      without.commit([notes.write('large', { text: 'x'.repeat(megabyte) })]),
    ).rejects.toMatchObject({ reason: 'StorageFull' })
    disk.clear()
    await without.commit([notes.write('large', { text: 'x'.repeat(megabyte) })])
    await without.close()
    expect(warnings).toEqual([
      'the disk is full: deleted the reserve file beside the database to open it',
      'the disk is full: no other process can open the database until this one is restarted',
    ])
  })

  it('commits into the room of the reserve, and restores the reserve when there is room', async () => {
    const storage = open()
    expect(existsSync(`${filename}-reserve`)).toBe(true)
    disk.fill()
    const large = { text: 'x'.repeat(megabyte / 4) }
    await storage.commit([notes.write('a', large)])
    await storage.commit([notes.write('b', large)])
    expect(existsSync(`${filename}-reserve`)).toBe(false)
    expect(warnings).toEqual(['the disk is full: deleted the reserve file beside the database'])

    disk.clear()
    clock.advance(60_000)
    await storage.commit([notes.write('c', large)])
    expect(existsSync(`${filename}-reserve`)).toBe(true)
    await storage.close()
  })

  it('refuses a commit that finds no room, and loses nothing', async () => {
    const storage = open(0)
    await storage.commit([notes.write('a', { text: 'kept' })])
    disk.fill()
    const large = notes.write('a', { text: 'x'.repeat(megabyte) })
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(storage.commit([large])).rejects.toMatchObject({ reason: 'StorageFull' })
    }
    expect((await notes.get(storage, 'a'))?.value.text).toBe('kept')
    disk.clear()
    await storage.commit([large])
    await storage.close()
  })
})
