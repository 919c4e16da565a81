import { readFileSync } from 'node:fs'
import { createScryptHasher } from '@gatehouse/core/auth'
import { expect, it } from 'vitest'

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const page = read('docs/deploy.md')

const first = (pattern: RegExp, text: string): string => {
  const [, found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Error(`nothing matches ${pattern}`)
  return found
}

it('the page on deployment says how much memory a password takes, and how many are hashed at once', async () => {
  const hash = await createScryptHasher().hash('tidal-lantern-42')
  const [, ln = '', r = ''] = /\$ln=(\d+),r=(\d+),p=1\$/.exec(hash) ?? []
  const mebibytes = (128 * 2 ** Number(ln) * Number(r)) / 2 ** 20
  expect(page).toContain(`scrypt in ${mebibytes} MiB, two at a time`)
  const source = read('packages/core/src/auth/kinds/password/scrypt-hasher.ts')
  expect(first(/ maxParallel = (\d+)/, source)).toBe('2')
  expect(page).toContain(`and ${first(/ maxWaiting = (\d+)/, source)} may wait`)
})

it('the page on deployment names the versions of Node.js that packages need and tests run on', () => {
  const { engines } = JSON.parse(read('packages/core/package.json'))
  const others = [
    ...first(/const versions = isWhole \? \[(.*?)\]/, read('scripts/other-nodes.mjs')).matchAll(
      /\d+/g,
    ),
  ]
  expect(page).toContain(
    `${engines.node.replace(/^>=(\d+\.\d+)\.0$/, '$1')} or newer; the tests also run on ${others.join(' and ')}`,
  )
})

it('the notes for upgrades name each version of the changelog', () => {
  const versions = (path: string): string[] =>
    [...read(path).matchAll(/^##+ (\d+\.\d+\.\d+)$/gm)].map(([, version = '']) => version)
  expect(versions('CHANGELOG.md')).not.toEqual([])
  expect(versions('docs/upgrading.md')).toEqual(versions('CHANGELOG.md'))
})

it('the page on Next.js names the version that its apps are built with', () => {
  const pinned = first(/'next@(\d+\.\d+)\.\d+'/, read('scripts/consumers/frameworks.mjs'))
  expect(read('docs/next.md')).toContain(`Tested with Next.js ${pinned}, built by`)
})
