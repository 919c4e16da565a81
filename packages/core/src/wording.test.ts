import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Phrases that are not English that an operator would say, each with the words to use instead. */
const refused: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\b(?:expected|got|refuse\(')(?: an?)?(?: non-empty| empty)? text\b(?! to)/, 'a string'],
  [/\ban object of texts\b/, 'an object of strings'],
  [/\b[Ww]hat bec(?:omes|ame) of\b/, 'what happens to'],
  [/\bnext look\b|\bbetween two looks\b|\bis looked at every\b/i, 'flush, check'],
  [/\bdoes not know of it\b|\b(?:everybody|nobody) knows of it\b/, 'has not been notified yet'],
  [
    /\bgo(?:es)? where they went\b|\bwould go elsewhere\b/,
    'No routing changes, routed differently',
  ],
  [/\bthe page has a fault\b/i, 'Something went wrong on this page'],
  [/\bsigned in nowhere\b/i, 'No active sessions'],
  [/\bnobody yet\b/i, 'No users yet'],
  [/\bcame and went\b/, 'fired and resolved'],
  [/\bto see its way\b/, 'to see its route'],
  [/\b(?:beforehand|anew)\b/, 'in advance, again'],
  [/\bthe present configuration\b/, 'the current configuration'],
  [/\bproxies in front are believed\b/, 'trusted reverse proxies'],
  [/\bmachines are kept out\b/, 'require a CAPTCHA'],
  [/\bfor people who try things out\b/, 'sample alerts'],
  [/\bwith (?:good|bad) news\b/, 'success, problems found'],
  [/(?<![\w/-])e-mail/i, 'email'],
  [/\bcancell(?:ed|ing)\b/i, 'canceled'],
  [/\bmisspelt\b/i, 'misspelled'],
  [
    /(?<!receiver: |name: )\b(?:somebody|everybody|anybody|whoever)\b/i,
    'the user, the sender, the process, all, any',
  ],
  [/\bcors_?origins\b|web\.cors-origin/i, 'allowed_origins'],
  [/(?<!max_)\bbody_bytes\b/, 'max_body_bytes'],
  [/\blog in to\b/i, 'sign in to'],
  [/\b(?:most|longest|largest)[A-Z]\w*\b/, 'max…, as every limit'],
]

/** What people read: sources without tests, and the documentation. */
const files: readonly string[] = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...below('docs').filter((path) => path.endsWith('.md') && !path.includes('/decisions/')),
  ...readdirSync(join(root, 'packages')).flatMap((name) => [
    ...below(`packages/${name}/src`).filter(
      (path) =>
        /\.tsx?$/.test(path) &&
        !/\.(?:test|fixture)\.tsx?$|\/(?:de|fr)(?:-\w+)?\.ts$|\/reserved-usernames\.ts$/.test(path),
    ),
    `packages/${name}/README.md`,
  ]),
]

function below(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`)
}

it('sources and documentation use the words that operators use', () => {
  const found = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        refused.flatMap(([phrase, instead]) => {
          const [words] = phrase.exec(line) ?? []
          return words === undefined ? [] : [`${path}:${index + 1} "${words}": ${instead}`]
        }),
      ),
  )
  expect(found).toEqual([])
})

it('French punctuation stays on the line of its word', () => {
  const french = readdirSync(join(root, 'packages'))
    .flatMap((name) => below(`packages/${name}/src`))
    .filter((path) => path.endsWith('/fr.ts'))
  expect(french.length).toBeGreaterThan(2)
  const found = french.flatMap(
    (path) => readFileSync(join(root, path), 'utf8').match(/\S+\s[:;?!»](?!:)|[«]\s\S+/g) ?? [],
  )
  expect(found).toEqual([])
})
