import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { authCollections } from './collections.ts'

const page = readFileSync(new URL('../../../../docs/auth-operations.md', import.meta.url), 'utf8')
const table = /\n\| table \| contents \|.*?\n\n/s.exec(page)?.[0] ?? ''

it('the page of operations says what each table holds, and which secrets', () => {
  const listed = table
    .split('\n')
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)])
    .map(([, name]) => name)
  expect(listed.sort()).toEqual(authCollections.map(({ name }) => name).sort())
})
