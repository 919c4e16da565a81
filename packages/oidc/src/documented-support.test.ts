import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { callback, origin, startWorld, type World } from '../test/world.fixture.ts'

const page = readFileSync(new URL('../../../docs/oidc.md', import.meta.url), 'utf8')

/** The cells of a table, by row. */
function rowsOf(table: string): readonly (readonly [string, string])[] {
  const [, text = ''] = new RegExp(`<!-- ${table} -->\n\n(.*?)\n\n`, 's').exec(page) ?? []
  const rows = text.split('\n').slice(2)
  return rows.map((line) => {
    const [, first = '', second = ''] = line.split('|').map((cell) => cell.trim())
    return [first, second]
  })
}

const codesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** Members that name an address, or depend on scopes. */
const isLeftOut = (name: string): boolean =>
  /_endpoint$|^jwks_uri$|^issuer$|^claims_supported$/.test(name)

it('docs/oidc.md has each member of the description, with its values', async () => {
  const oidc = { deviceFlow: true, registration: 'open', clientIdMetadata: true } as const
  const { fetch } = await startWorld({ oidc })
  const described = await fetch(`${origin}/.well-known/openid-configuration`)
  const members = Object.entries<unknown>(Object(await described.json()))
  const expected = members
    .filter(([name]) => !isLeftOut(name))
    .map(([name, value]) => [name, [value].flat().map(String).sort()])
  const documented = rowsOf('support').map(([name, values]) => [
    ...codesIn(name),
    [...codesIn(values)].sort(),
  ])
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected))
})

const authorizeUrl = (parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams({
    client_id: 'web',
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  })
  return `${origin}/oidc/authorize?${query}`
}

/** The error that a request gets; `undefined` if it is as good as one without what it asks for. */
async function errorOf({ fetch }: World, asked: string): Promise<unknown> {
  const [code = ''] = codesIn(asked)
  if (asked.endsWith('in a registration')) {
    const [name = '', ...value] = code.split(': ')
    const body = JSON.stringify({ redirect_uris: [callback], [name]: value.join(': ') })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/oidc/register`, { method: 'POST', headers, body })
    const registered = Object(await answer.json())
    expect(registered[name]).not.toBe(value.join(': '))
    return registered.error
  }
  const [name = '', ...value] = code.split('=')
  const parameters = { [name]: value.join('=') }
  if (name === 'grant_type') {
    const body = new URLSearchParams({ client_id: 'spa', ...parameters })
    const answer = await fetch(`${origin}/oidc/token`, { method: 'POST', body })
    return Object(await answer.json()).error
  }
  const { headers } = await fetch(authorizeUrl(parameters), { redirect: 'manual' })
  const next = new URL(headers.get('location') ?? expect.fail('it leads nowhere'), origin)
  const answer =
    next.searchParams.get('error') ?? new URLSearchParams(next.hash.slice(1)).get('error')
  if (answer === null) expect(next.pathname).toMatch(/^\/oidc\/interaction\//)
  return answer ?? undefined
}

describe('docs/oidc.md says what is not there', () => {
  it.each(rowsOf('absent'))('%s: %s', async (asked, answer) => {
    const world = await startWorld({ oidc: { registration: 'open' } })
    const expected = answer.startsWith('none') ? undefined : codesIn(answer)[0]
    expect(await errorOf(world, asked)).toBe(expected)
  })
})
