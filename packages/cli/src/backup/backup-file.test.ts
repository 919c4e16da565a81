import type { SnapshotRecord, StorageSnapshot } from '@gatehouse/core/store'
import { describe, expect, it } from 'vitest'
import { type BackupCounts, type BackupRecord, backupLines, readBackup } from './backup-file.ts'

const stored: readonly SnapshotRecord[] = [
  { id: 'a', version: '1', value: { text: '\u2028\r\n\0 \ud800' } },
  { id: 'b', version: '2', expiresAt: 5, value: null },
  { id: 'c', version: '3', value: undefined, text: 'no JSON' },
]

const snapshot: StorageSnapshot = {
  collections: ['notes', 'others'],
  async *records() {
    yield* stored
  },
  findProblems: async () => [],
}

const noCounts = (): BackupCounts => ({ records: 0, unreadable: 0 })

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function backup(): Promise<string> {
  const collections = [{ name: 'notes', fields: {}, feed: false }]
  const lines = backupLines(snapshot, { collections, createdAt: 0, counts: noCounts() })
  return (await all(lines)).join('')
}

async function read(text: string): Promise<readonly BackupRecord[]> {
  async function* lines(): AsyncGenerator<string> {
    yield* text.replace(/\n$/, '').split('\n')
  }
  return all(readBackup(lines(), noCounts()))
}

describe('a backup', () => {
  it('returns every record as it was, and leaves out unknown collections', async () => {
    const collection = 'notes'
    expect(await read(await backup())).toEqual([
      { collection, id: 'a', version: '1', value: { text: '\u2028\r\n\0 \ud800' } },
      { collection, id: 'b', version: '2', expires_at: 5, value: null },
      { collection, id: 'c', version: '3', text: 'no JSON' },
    ])
  })

  it.each([
    [
      'changed',
      (text: string) => text.replace('no JSON', 'my JSON'),
      'its checksum does not match',
    ],
    ['cut', (text: string) => text.slice(0, text.lastIndexOf('{"end"')), 'it was truncated'],
    ['cut within a line', (text: string) => text.slice(0, -30), 'line 5: this is not a line'],
    ['longer', (text: string) => `${text}{}\n`, 'line 6: text after the end'],
    ['newer', (text: string) => text.replace('backup":1', 'backup":2'), 'has format 2'],
    ['something else', () => '{"name":"package"}', 'this is not a backup of Gatehouse'],
    ['no JSON', () => 'hello', 'line 1: this is not a line of a backup'],
    ['null', () => 'null', 'line 1: this is not a line of a backup'],
    ['no record', (text: string) => text.replace('"id":"a",', ''), 'line 2: this is not a record'],
  ])('refuses a backup that is %s', async (_, damage, problem) => {
    await expect(read(damage(await backup()))).rejects.toThrow(problem)
  })
})
