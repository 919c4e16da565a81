import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = readFileSync(new URL('../../../docs/oidc-security.md', import.meta.url), 'utf8')

/** The sections of RFC 9700 with requirements of an authorization server. */
const sections = [
  ...['2.1', '2.1.1', '2.1.2', '2.2', '2.3', '2.4', '2.5', '2.6'],
  ...Array.from({ length: 17 }, (_, index) => `4.${index + 1}`),
]

const rowsOf = (table: string): readonly (readonly string[])[] => {
  const [, text = ''] = new RegExp(`<!-- table: ${table} -->\n\n(.*?)\n\n`, 's').exec(page) ?? []
  return text
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
}

describe('docs/oidc-security.md', () => {
  it('has a row for each section', () => {
    const named = rowsOf('practice').map(([, section = '']) => section.split(' ')[0])
    expect(named).toEqual(sections)
  })

  const rows = [...rowsOf('practice'), ...rowsOf('beyond')]
  it.each(rows.map(([, what, , tests]) => [what, tests]))(
    'names tests that exist: %s',
    (_, tests) => {
      for (const test of (tests ?? '').split('<br>')) {
        const [, file, name = ''] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(test) ?? expect.fail(test)
        const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
        // The name of a group and of a test; either may have a colon.
        const splits = [...name.matchAll(/: /g)].map(({ index }) => [
          name.slice(0, index),
          name.slice(index + 2),
        ])
        const isIn = splits.some(
          ([group, own]) =>
            new RegExp(`describe\\w*\\([\`']${escaped(group)}`).test(source) &&
            source.includes(`'${own}'`),
        )
        expect({ test, isIn }).toEqual({ test, isIn: true })
      }
    },
  )
})

const escaped = (text = ''): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
