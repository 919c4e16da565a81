import { expect, it } from 'vitest'
import { knownAfterRead } from './known-records.ts'

const record = { value: 1, version: 'v1' }
const known = (version: string, expiresAt?: number) => ({
  content: { value: 1, expiresAt },
  version,
  isShared: false,
})

it.each([
  ['that it did not know', record, undefined, false],
  ['as it left it', record, known('v1'), false],
  ['that another process wrote', record, known('v0'), true],
  ['that another process removed', undefined, known('v1'), true],
  ['that another process made', record, known('absent'), true],
  ['that has expired', undefined, known('v1', 10), false],
  ['that another process made after its own had expired', record, known('v0', 10), true],
])('a process reads a record %s: is it shared?', (_, found, before, isShared) => {
  expect(knownAfterRead(found, before, 10)).toMatchObject({
    version: found?.version ?? 'absent',
    isShared,
  })
})
