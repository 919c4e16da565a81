import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const repository = new URL('../../../../', import.meta.url)
const page = readFileSync(new URL('docs/auth-internals.md', repository), 'utf8')

it('docs/auth-internals.md names files and folders that exist', () => {
  const paths = [...page.matchAll(/(?<=[\s`])[a-z][a-z/-]*(?:\/|\.ts)(?=[\s`])/g)].map(
    ([path]) => path,
  )
  expect(paths.length).toBeGreaterThan(40)
  const missing = paths.filter((path) =>
    [import.meta.url, repository].every((base) => !existsSync(new URL(path, base))),
  )
  expect([...new Set(missing)]).toEqual([])
})
