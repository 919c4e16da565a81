import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { appFiles, services } from './app-files.ts'
import { frameworks } from './frameworks.ts'
import { readStarter } from './starter.ts'

const starter = readStarter(fileURLToPath(new URL('../../../examples/starter', import.meta.url)))
const surroundings = { version: '1.2.3', hasSqlite: true, randomSecret: () => 'x'.repeat(43) }

/** Every choice of at least one service. */
const choices = Array.from({ length: 2 ** services.length - 1 }, (_, index) =>
  services.filter((_, bit) => ((index + 1) & (1 << bit)) !== 0),
)

describe.each(frameworks)('an app with $title', (framework) => {
  it.each(choices.map((chosen) => ({ chosen })))('and $chosen is whole', ({ chosen }) => {
    const choice = { name: 'my-app', framework, services: chosen }
    const files = appFiles(starter, choice, surroundings)
    const { dependencies, devDependencies } = JSON.parse(files.get('package.json') ?? '')
    for (const [path, text] of files) {
      expect(text, path).not.toMatch(/\/\/ with /)
      for (const [, from = ''] of text.matchAll(/^(?:import|export|\}) .*?from '([^']+)'/gm)) {
        if (from.startsWith('.')) {
          expect([...files.keys()], path).toContain(posix.join(posix.dirname(path), from))
        } else if (!from.startsWith('node:')) {
          const name = from
            .split('/')
            .slice(0, from.startsWith('@') ? 2 : 1)
            .join('/')
          const isTest = /\.(?:test|fixture|config)\.ts$/.test(path)
          const known = isTest ? { ...dependencies, ...devDependencies } : dependencies
          expect(known, path).toHaveProperty([name])
        }
      }
    }
    const tests = [...files.keys()].filter((path) => path.endsWith('.test.ts'))
    expect(tests.sort()).toEqual(chosen.map((one) => `src/${one}.test.ts`).sort())
  })
})

it('installs SQLite only for a Node.js without it', () => {
  const [framework] = frameworks
  if (framework === undefined) throw new Error('there is no framework')
  const choice = { name: 'my-app', framework, services }
  const installed = (hasSqlite: boolean) =>
    JSON.parse(appFiles(starter, choice, { ...surroundings, hasSqlite }).get('package.json') ?? '')
      .dependencies
  expect(installed(false)).toHaveProperty(['@photostructure/sqlite'])
  expect(installed(true)).not.toHaveProperty(['@photostructure/sqlite'])
})
