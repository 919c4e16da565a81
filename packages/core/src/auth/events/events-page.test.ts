import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sources } from '../../sources.fixture.ts'
import { activityTypes } from '../api/activity-types.ts'

const page = readFileSync(new URL('../../../../../docs/auth-events.md', import.meta.url), 'utf8')
const table = /\n\| event \|.*?\n\n/s.exec(page)?.[0] ?? ''

/** The names in the first cells of the table. */
const listed = table
  .split('\n')
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z_]+(?:\.[a-z_]+)+)`/g)])
  .map(([, name = '']) => name)

const areas = [
  'user',
  'identity',
  'authentication',
  'authenticator',
  'password',
  'recovery_codes',
  'device_tokens',
  'api_key',
  'invitation',
  'rate_limit',
  'bot_protection',
  'oidc',
]

/** Events before something, results of a check, and a place within an input. */
const others = /\.pre_\w+$|^authentication\.(?!.*\.failed$|blocked$)|\.expires_at$/

/** Names that sources send events by, as patterns. Configurations, limits and hooks have other names of this shape. */
const sent = sources
  .filter(({ path }) =>
    /^(?:oidc\/src\/|core\/src\/auth\/(?!api\/|wire\/|config\/|limits\/buckets|flow\/hooks\/))/.test(
      path,
    ),
  )
  .flatMap(({ code }) => [...code.matchAll(/(['`])([a-z_]+(?:\.(?:[a-z_]+|\$\{[^}]*\}))+)\1/g)])
  .map(([, , name = '']) => name)
  .filter((name) => areas.includes(name.split('.')[0] ?? '') && !others.test(name))

const patternOf = (name: string): RegExp =>
  new RegExp(`^${name.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[a-z_.]+')}$`)

it('the page of events lists every event that is sent', () => {
  const missing = sent.filter((name) => !listed.some((one) => patternOf(name).test(one)))
  expect([...new Set(missing)]).toEqual([])
})

it('the page of events lists no event that is never sent', () => {
  const ofMessages = /^(email|sms|whatsapp)\./
  const unsent = listed.filter((one) => !sent.some((name) => patternOf(name).test(one)))
  expect(unsent.filter((name) => !ofMessages.test(name))).toEqual([])
})

it('the activity of an account has no event that is never sent', () => {
  const unsent = activityTypes.filter((one) => !sent.some((name) => patternOf(name).test(one)))
  expect(unsent).toEqual([])
})
