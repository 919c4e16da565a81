import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const repository = new URL('../../../', import.meta.url)
const text = readFileSync(new URL('SECURITY.md', repository), 'utf8')

/** The rows of the tables with the columns *threat, what holds, test*. */
const rows = text
  .split(/\n(?=\| threat \|)/)
  .slice(1)
  .flatMap((table) => table.split('\n\n')[0]?.split('\n').slice(2) ?? [])
  .map((row) => row.split(/(?<!\\)\|/).slice(1, -1))
  .map(([threat = '', holds = '', tests = '']) => ({ threat: threat.trim(), holds, tests }))

it('SECURITY.md has threats', () => {
  expect(rows.length).toBeGreaterThan(20)
})

it.each(rows)('each test of "$threat" exists', ({ holds, tests }) => {
  expect(holds.trim()).not.toBe('')
  const paths = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
  expect(paths).not.toEqual([])
  for (const path of paths) {
    expect(path).toMatch(/\.test\.ts$|^vectors\/.*\.json$/)
    const base = /^(simulation|packages)\//.test(path) ? '' : 'packages/core/'
    const isThere = existsSync(new URL(`${base}${path}`, repository))
    expect(isThere, path).toBe(true)
  }
})
