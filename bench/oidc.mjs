// From an authorization request to tokens, beside plain oidc-provider with its adapter in memory: what flows, sessions and a store
// that several processes share add to the library. Both serve over HTTP in this process, and are asked in turns.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createAuth, createSession, createUser } from '@gatehouse/core'
import { createOidcProvider } from '@gatehouse/oidc'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { Provider } from 'oidc-provider'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- oidc [options]

  --rounds N   how many rounds, in each of which both are measured (default 9)
  --each N     how many times a round leads from an authorization request to tokens (default 200)
  --json       the figures as JSON

The person has signed in, the app needs no consent and proves itself with PKCE. The answer is an access token, a refresh token and
an ID token signed with RS256. A ratio is the median of the ratios of the rounds. CPU times include those of the client, which
costs both the same; they say more than the others on a busy machine.`

const clientId = 'shop'
const redirectUri = 'https://shop.example.com/callback'
const userId = 'maya'

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {(verifier: string, challenge: string) => Promise<void>} run from an authorization request to tokens
 * @property {() => void} stop
 */

/** @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }} Answered */

/** @param {number} port */
function clientOf(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** @type {Map<string, string>} */
  const jar = new Map()
  let sent = 0
  /** @param {string} path @param {string} [body] @returns {Promise<Answered>} */
  const send = async (path, body) => {
    sent++
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const outgoing = request({
      agent,
      port,
      host: '127.0.0.1',
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        host: `localhost:${port}`,
        // Limits count by address, and addresses other than this machine's need TLS.
        'x-forwarded-proto': 'https',
        'x-forwarded-for': `10.0.${(sent >> 8) & 255}.${sent & 255}`,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { ...form, 'content-length': Buffer.byteLength(body) }),
      },
    })
    outgoing.end(body)
    const [incoming] = await once(outgoing, 'response')
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    for (const line of incoming.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return { status: incoming.statusCode, headers: incoming.headers, text }
  }
  return { jar, send, close: () => agent.destroy() }
}

/**
 * @param {string} name
 * @param {{ authorize: string, token: string }} paths
 * @param {(origin: string, jar: Map<string, string>) => Promise<import('node:http').RequestListener>} make
 * @returns {Promise<Contender>}
 */
async function contender(name, paths, make) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const { jar, send, close } = clientOf(port)
  server.on('request', await make(`http://localhost:${port}`, jar))
  /** Follows redirects within the server. @param {string} path @returns {Promise<URL>} */
  const codeFrom = async (path) => {
    const { headers, status, text } = await send(path)
    if (headers.location === undefined) throw new Error(`${name}: ${status} ${text.slice(0, 300)}`)
    const next = new URL(headers.location, `http://localhost:${port}`)
    return next.hostname === 'localhost' ? codeFrom(next.pathname + next.search) : next
  }
  return {
    name,
    async run(verifier, challenge) {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      })
      const back = await codeFrom(`${paths.authorize}?${query}`)
      const form = new URLSearchParams({
        client_id: clientId,
        grant_type: 'authorization_code',
        code: back.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
      })
      const { status, text } = await send(paths.token, String(form))
      const tokens = JSON.parse(text)
      if (status !== 200 || !tokens.refresh_token || !tokens.id_token) {
        throw new Error(`${name}: ${status} ${tokens.error ?? 'tokens are missing'}`)
      }
    },
    stop() {
      close()
      server.close()
      server.closeAllConnections()
    },
  }
}

const gatehouse = () =>
  contender(
    'Gatehouse',
    { authorize: '/oidc/authorize', token: '/oidc/token' },
    async (origin, jar) => {
      const auth = createAuth({
        storage: createMemoryStorage(),
        config: { id: 'bench', http: { public_origin: origin } },
        secrets: [{ id: 'k1', key: 'a key for the benchmark, of 32 bytes or more' }],
        logger: false,
      })
      const id = await createUser(auth, { email: 'maya@example.com' })
      const { cookies } = await createSession(auth, id, { amr: ['pwd'] })
      for (const { name, value } of cookies) jar.set(name, value)
      const oidc = createOidcProvider({
        auth,
        clients: [
          {
            clientId,
            name: 'Shop',
            type: 'spa',
            redirectUris: [redirectUri],
            consent: 'never',
          },
        ],
      })
      return nodeAdapter([...auth.routes, ...oidc.routes], { trustedProxies: ['127.0.0.1'] })
    },
  )

const plain = () =>
  contender('oidc-provider', { authorize: '/auth', token: '/token' }, async (origin) => {
    let authorizations = 0
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const provider = new Provider(origin, {
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
      clients: [
        {
          client_id: clientId,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'none',
        },
      ],
      cookies: { keys: [randomBytes(32).toString('base64url')] },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ['sub', 'acr', 'amr', 'auth_time'] },
      issueRefreshToken: async () => true,
      findAccount: (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc }) {
        // Its adapter goes through all tokens of a grant for each new one, so a grant does not live for the whole run.
        const isOver = ++authorizations % 20 === 0
        const known = isOver ? undefined : oidc.session?.grantIdFor(clientId)
        if (known !== undefined) return provider.Grant.find(known)
        const grant = new provider.Grant({ accountId: oidc.account?.accountId, clientId })
        grant.addOIDCScope('openid')
        await grant.save()
        return grant
      },
    })
    const handle = provider.callback()
    return (incoming, response) => {
      if (!incoming.url?.startsWith('/interaction/')) return handle(incoming, response)
      const login = { accountId: userId, amr: ['pwd'] }
      return provider.interactionFinished(incoming, response, { login })
    }
  })

/** Compilers are done with both after so many. */
const warmUps = 1_500

/** @typedef {{ ms: number, cpuMs: number }} Cost of one */

/** @param {Contender} one @param {number} count @returns {Promise<Cost>} */
async function measure({ run: authorize }, count) {
  const before = process.cpuUsage()
  const began = performance.now()
  for (let done = 0; done < count; done++) {
    const verifier = randomBytes(32).toString('base64url')
    await authorize(verifier, createHash('sha256').update(verifier).digest('base64url'))
  }
  const { user, system } = process.cpuUsage(before)
  return { ms: (performance.now() - began) / count, cpuMs: (user + system) / 1_000 / count }
}

/** @param {string[]} args */
export async function run(args) {
  const options = /** @type {const} */ ({ each: { type: 'string', default: '200' } })
  const values = readOptions(args, { usage, options })
  if (values === undefined) return
  const rounds = wholeNumber('rounds', values.rounds === '3' ? '9' : values.rounds)
  const each = wholeNumber('each', values.each)
  const contenders = [await gatehouse(), await plain()]
  /** @type {Cost[][]} */
  const costs = contenders.map(() => [])
  try {
    for (const one of contenders) await measure(one, warmUps)
    for (let round = 0; round < rounds; round++) {
      // Each is first in every second round.
      const turns = round % 2 === 0 ? [0, 1] : [1, 0]
      for (const turn of turns) {
        const one = contenders[turn]
        if (one !== undefined) costs[turn]?.push(await measure(one, each))
      }
    }
  } finally {
    for (const one of contenders) one.stop()
  }
  const [own = [], others = []] = costs
  /** @param {keyof Cost} kind */
  const ratioOf = (kind) =>
    median(own.map((cost, round) => cost[kind] / (others[round]?.[kind] ?? Number.NaN)))
  const ratios = { ms: ratioOf('ms'), cpuMs: ratioOf('cpuMs') }
  const figures = contenders.map(({ name }, at) => ({
    name,
    ms: median((costs[at] ?? []).map(({ ms }) => ms)),
    cpuMs: median((costs[at] ?? []).map(({ cpuMs }) => cpuMs)),
  }))
  if (values.json) return void console.log(JSON.stringify({ figures, ratios }))
  console.log(
    table([
      ['authorize → token', 'ms', 'CPU ms'],
      ...figures.map(({ name, ms, cpuMs }) => [name, ms.toFixed(2), cpuMs.toFixed(2)]),
      ['ratio', ratios.ms.toFixed(2), ratios.cpuMs.toFixed(2)],
    ]),
  )
}
