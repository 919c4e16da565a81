import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Spellings that are not used, each with the one that is. */
const refused: readonly (readonly [RegExp, string])[] = [
  [/\be-mail/i, 'email'],
  [/\bcancell(?:ed|ing)\b/i, 'canceled'],
  [/\bmisspelt\b/i, 'misspelled'],
]

const filesBelow = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .map((name) => `${folder}/${String(name)}`)
    .filter((path) => ending.test(path))

const documents = [
  ...filesBelow('docs', /\.md$/),
  ...readdirSync(`${root}packages`).map((name) => `packages/${name}/README.md`),
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
]

/** With comments, and with the texts of the console. Its German texts have the words of another language. */
const sources = readdirSync(`${root}packages`)
  .flatMap((name) => filesBelow(`packages/${name}/src`, /(?<!\.test|\.fixture)\.tsx?$/))
  .filter((path) => !/\/texts\/de|\/reserved-usernames\.ts$/.test(path))

it.each([
  ['documents', documents],
  ['sources', sources],
])('the %s use one spelling of each word', (_, paths) => {
  expect(paths.length).toBeGreaterThan(20)
  const found = paths.flatMap((path) =>
    readFileSync(`${root}${path}`, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const word = refused.find(([pattern]) => pattern.test(line))
        return word === undefined ? [] : [`${path}:${index + 1}: write "${word[1]}"`]
      }),
  )
  expect(found).toEqual([])
})
