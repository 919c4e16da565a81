import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { configWith, documentWith, problemsIn } from './config.fixture.ts'

const page = readFileSync(new URL('../../../../../docs/auth.md', import.meta.url), 'utf8')
const section = /\n## What is missing\n(.*?)\n## /s.exec(page)?.[1] ?? ''

/** Names in code style of the first item, which is about identifications. */
const listed = [...(/^- (.*?)(?=^- )/ms.exec(section)?.[1] ?? '').matchAll(/`(\w+)`/g)].map(
  ([, name]) => name,
)

/** The words that the document accepts for identifications. */
function acceptedWords(): readonly string[] {
  const [problem] = problemsIn(documentWith({ authentication: { identities: ['nothing'] } }))
  return (/must be one of (.*)$/.exec(problem?.message ?? '')?.[1] ?? '').split(', ')
}

it('the page of sign-in lists each identification that is accepted and never offered, and no other', () => {
  const words = acceptedWords()
  const { warnings } = configWith({
    authentication: { identities: words, primary_authenticators: ['password', 'passkey'] },
  })
  const idle = warnings.flatMap((warning) => /"(\w+)" is not built in/.exec(warning)?.[1] ?? [])
  expect(words).toContain('ldap')
  expect(listed).toEqual(idle)
})

it('the page of sign-in says of no key with an effect that it is missing', () => {
  const keys = [...section.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)].map(([, key]) => key)
  const config = readFileSync(
    new URL('../../../../../docs/auth-config.md', import.meta.url),
    'utf8',
  )
  expect(keys.filter((key) => config.includes(`| \`${key}\` |`))).toEqual([])
})
