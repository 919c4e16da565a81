import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startWorld } from '../test/world.fixture.ts'

const page = readFileSync(new URL('../../../docs/oidc.md', import.meta.url), 'utf8')

it('docs/oidc.md has the path of every endpoint for apps and people', async () => {
  const { oidc } = await startWorld()
  // What follows a path is a step of the server itself, such as the return from the sign-in page.
  const isStep = (path: string): boolean => /\/:|^\/oidc\/(?:interaction|logout)\//.test(path)
  const paths = oidc.routes.map(({ path }) => path).filter((path) => !isStep(path))
  const [, table = ''] = /<!-- paths -->\n\n(.*?)\n\n/s.exec(page) ?? []
  const documented = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) =>
    path.startsWith('/.well-known/') ? path : `/oidc${path}`,
  )
  expect(documented.sort()).toEqual([...new Set(paths)].sort())
})
