import type { ClientCertificate } from '@gatehouse/core/adapter'
import { expect, it } from 'vitest'
import type { AccessSection } from './access-section.ts'
import { createIdentify, type KeyHolder, type SignedIn } from './identify.ts'

const section: AccessSection = {
  roles: new Map(),
  users: new Map(),
  tokens: new Map([['ci', { token: 'the-token-of-ci-1', roles: ['editor'] }]]),
  certificates: new Map([
    ['prometheus', ['poster']],
    ['b.example', ['viewer']],
  ]),
  sessions: new Map([
    ['user-1', ['viewer']],
    ['maya@example.com', ['editor']],
  ]),
  session_attribute: 'x_role',
  api_keys: new Map([
    ['alerts', ['editor', 'poster']],
    ['all', ['admin']],
  ]),
  anonymous: [],
}

interface Sender {
  readonly authorization?: string
  readonly certificate?: ClientCertificate
  /** Whom the cookie is of. */
  readonly person?: SignedIn
  /** Whom the bearer token is of. */
  readonly bearer?: SignedIn | KeyHolder
}

function identify({ authorization, certificate, person, bearer }: Sender) {
  const headers = authorization === undefined ? {} : { authorization }
  const request = new Request('http://host/', { headers })
  const base = { params: {}, path: '/', mountPath: '', query: '', secure: true }
  const info = certificate === undefined ? base : { ...base, clientCertificate: certificate }
  return createIdentify(section)(request, info, async ({ headers }) =>
    headers.get('authorization') === null ? person : bearer,
  )
}

const certificate = (commonName: string | undefined, ...names: string[]): ClientCertificate => ({
  commonName,
  names,
})

const maya: SignedIn = { userId: 'user-1', addresses: ['maya@example.com'], attributes: {} }

it.each<[string, Sender, object | undefined]>([
  ['nobody without anything', {}, undefined],
  ['a token', { authorization: 'bearer the-token-of-ci-1' }, { id: 'ci', roles: ['editor'] }],
  [
    'a key of a service, by its scopes',
    { authorization: 'Bearer k', bearer: { owner: 'billing', scopes: ['alerts', 'other'] } },
    { kind: 'api_key', id: 'billing', roles: ['editor', 'poster'] },
  ],
  [
    'a key of a user, who has some of the roles',
    { authorization: 'Bearer k', bearer: { owner: maya, scopes: ['alerts', 'all'] } },
    { kind: 'api_key', id: 'maya@example.com', roles: ['editor'] },
  ],
  ['no other token', { authorization: 'Bearer the-token-of-ci-2' }, undefined],
  [
    'a common name',
    { certificate: certificate('prometheus') },
    { id: 'prometheus', roles: ['poster'] },
  ],
  [
    'an alternative name',
    { certificate: certificate('x', 'a.example', 'b.example') },
    { id: 'b.example', roles: ['viewer'] },
  ],
  [
    'an unknown certificate, without roles',
    { certificate: certificate(undefined, 'c.example') },
    { id: 'c.example', roles: [] },
  ],
  ['no certificate without names', { certificate: certificate(undefined) }, undefined],
  [
    'a session by id and address',
    { person: maya },
    { kind: 'session', id: 'maya@example.com', roles: ['viewer', 'editor'] },
  ],
  [
    'an operator who acts as a person, by both names',
    { person: { ...maya, operator: 'olga' } },
    { kind: 'impersonation', id: 'olga as maya@example.com', roles: ['viewer', 'editor'] },
  ],
  [
    'a session by its attribute',
    { person: { ...maya, userId: 'u', addresses: [], attributes: { x_role: 'admin' } } },
    { id: 'u', roles: ['admin'] },
  ],
  [
    'no role in an attribute of another type',
    { person: { ...maya, userId: 'u', addresses: [], attributes: { x_role: ['admin'] } } },
    { id: 'u', roles: [] },
  ],
  [
    'a session by its token',
    {
      authorization: 'Bearer an-access-token-of-maya',
      certificate: certificate('prometheus'),
      bearer: maya,
    },
    { kind: 'session', id: 'maya@example.com', roles: ['viewer', 'editor'] },
  ],
  [
    'the token before the session',
    { authorization: 'Bearer wrong-wrong-wrong', person: maya },
    undefined,
  ],
  [
    'the certificate before the session',
    { certificate: certificate('prometheus'), person: maya },
    { kind: 'certificate' },
  ],
])('identifies %s', async (_, sender, subject) => {
  const found = await identify(sender)
  if (subject === undefined) expect(found).toBeUndefined()
  else expect(found).toMatchObject(subject)
})
