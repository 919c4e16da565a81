import { isGatehouseError } from '@gatehouse/core'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { itWith, slapdBinary } from '../../../test-support/binaries.ts'
import { addAuthenticator, describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { keepPage, takePage } from '../../../test-support/idle-pages.ts'
import { isWide } from '../../../test-support/lane.ts'
import { configWith } from '../../core/src/auth/config/config.fixture.ts'
import { still } from './sign-in.fixture.ts'
import type { Walker } from './walk-answers.fixture.ts'
import { walk } from './walk-driver.fixture.ts'
import {
  beginsBy,
  configOf,
  everyWay,
  fewestOf,
  isPossible,
  nameOfWay,
  sampleOf,
  type Way,
  wantedBy,
} from './walk-ways.fixture.ts'
import {
  bothPath,
  newPerson,
  outsideSections,
  type Surroundings,
  startSurroundings,
  startWorld,
  type World,
} from './walk-world.fixture.ts'

const hasDirectory = slapdBinary.path !== undefined

/** The configuration of a way with servers that nobody asks, to read its flows from. */
const readConfig = (way: Way) =>
  configWith(
    configOf(way, {
      oauth: {
        providers: [
          {
            alias: 'acme',
            type: 'oidc',
            client_id: 'c',
            discovery_document_endpoint: 'https://acme.example/.well-known/openid-configuration',
          },
        ],
      },
      ldap: {
        servers: [
          {
            name: 'harbor',
            url: 'ldaps://ldap.example.com',
            search_base_dn: 'dc=example,dc=com',
            search_filter_template: '(uid={{ $.Username }})',
            user_id_attribute_name: 'uid',
          },
        ],
      },
    }),
  )

/** Those that the schema allows and a login is made of. `id_token` is of apps: people cannot type one. */
const possible = everyWay().filter((way) => {
  if (way.identification === 'id_token') return false
  try {
    return isPossible(way, readConfig(way))
  } catch (error) {
    if (isGatehouseError(error) && error.reason === 'InvalidConfig') return false
    throw error
  }
})
/** A way in which nearly every step has something to type. */
const isWithAppAndPassword = ({ identification, primary, secondary }: Way): boolean =>
  identification === 'email' && primary === 'primary_password' && secondary === 'secondary_totp'

const recovering = [
  'account_recovery_identification_data',
  'account_recovery_verify_code_data',
  'new_password_data',
]

/** Those on which everything goes wrong once at each step: one for every change, all words of the schema in the wide lane. */
const stumbling = isWide ? sampleOf(possible) : possible.filter(isWithAppAndPassword)

/** An address and a password alone, by which people recover their accounts, too. */
const simple = possible.filter(
  ({ identification, primary, secondary }) =>
    identification === 'email' && primary === 'primary_password' && secondary === undefined,
)

const isMissing = ({ identification }: Way): boolean => identification === 'ldap' && !hasDirectory

const itFor = (way: Way, name: string, walk: () => Promise<void>): void =>
  itWith(way.identification === 'ldap' ? [slapdBinary] : [], name, walk)

const fewest = fewestOf(possible, [...simple, ...stumbling])

/** All of them in the wide lane; for every change the simple one, and the fewest that have the other words of the schema. */
const ways = isWide
  ? possible
  : [
      ...simple,
      ...fewest,
      // What only a way has that is skipped here is met by others.
      ...fewestOf(
        possible.filter((way) => !isMissing(way)),
        [...simple, ...stumbling, ...fewest.filter((way) => !isMissing(way))],
      ),
    ]

/** The flows beside a sign-up and a login. */
const otherFlows = [
  'account_recovery',
  'signup_login, of a newcomer',
  'promote',
  'signup_login, of a user',
] as const
type OtherFlow = (typeof otherFlows)[number]

/** For every change the simple way has all of them; in the wide lane every way. */
const othersOf = (way: Way): readonly OtherFlow[] =>
  isWide || simple.includes(way) ? otherFlows : []

describeWithBrowser('every way through the pages', () => {
  const browser = useBrowser()
  let around: Surroundings
  /** The walks that ended in a session or, for a recovery, in a password that makes one. */
  const ended = new Map<string, number>()
  const closing: (() => Promise<void>)[] = []
  afterEach(endLast)
  beforeAll(async () => {
    around = await startSurroundings(hasDirectory)
  })
  afterAll(async () => {
    await around?.close()
  })

  /** Ends the service of the walk before, whose port the next one takes. */
  async function endLast(): Promise<void> {
    for (const close of closing.splice(0)) await close()
  }

  async function begin(way: Way, refused?: Set<string>): Promise<Walker> {
    await endLast()
    const world = await startWorld(around, configOf(way, outsideSections(around)))
    const page = await takePage(browser(), still)
    page.context().setDefaultTimeout(20_000)
    const authenticator = await addAuthenticator(page)
    // A virtual authenticator answers at once, before the person does.
    const script = await page.addInitScript(
      'if (globalThis.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false',
    )
    closing.push(async () => {
      await script.dispose()
      await authenticator.detach()
      await keepPage(browser(), page, still)
      await world.server.stop()
    })
    return {
      world,
      person: newPerson(),
      page,
      wanted: wantedBy(way),
      met: [],
      ...(refused === undefined ? {} : { refused }),
    }
  }

  /** Goes from a page to a session, which the service must know. Returns its references. */
  async function enter(walker: Walker, path: string): Promise<readonly string[]> {
    const { world } = walker
    // Within a minute of the last message, an address is sent no other one.
    world.server.pass(61_000)
    const url = `${world.server.origin}${path}`
    // To sign out leads to the sign-in page.
    if (walker.page.url() !== url) await walker.page.goto(url)
    await walk(walker, (place) => place.path === '/account' && place.title === 'Your account')
    const { amr } = await sessionOf(walker.page, world)
    return amr
  }

  async function sessionOf(
    page: Page,
    { server }: World,
  ): Promise<{ user: string; amr: readonly string[] }> {
    const response = await page.request.get(`${server.origin}/api/v1/account`)
    expect(response.status()).toBe(200)
    const { result } = await response.json()
    const current = result.sessions.find(({ is_current: is }: { is_current: boolean }) => is)
    return { user: result.user.id, amr: current.amr }
  }

  async function signOut({ page }: Walker): Promise<void> {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/login/)
  }

  const count = (flow: string): void => {
    ended.set(flow, (ended.get(flow) ?? 0) + 1)
  }

  /** What the session of a login must have shown. */
  function expectShown(way: Way, amr: readonly string[]): void {
    for (const name of [way.primary, way.secondary]) {
      if (name !== undefined && name !== 'primary_passkey') expect(amr).toContain(`x_${name}`)
    }
    // A provider or a directory has shown no factor of the service, so the second one is the first.
    const isFirst = way.identification === 'oauth' || way.identification === 'ldap'
    if (way.secondary !== undefined && way.secondary !== 'device_token' && !isFirst)
      expect(amr).toContain('mfa')
  }

  /** Signs up and in, and by `others`. */
  async function walkUser(
    way: Way,
    others: readonly OtherFlow[],
    refused?: Set<string>,
  ): Promise<void> {
    const config = readConfig(way)
    const { identification } = way
    const walker = await begin(way, refused)
    await enter(walker, '/signup')
    if (beginsBy(config, 'signup', identification)) count('signup')
    if (identification !== 'select_account') await signOut(walker)
    if (way.secondary === 'device_token') {
      const trusting = {
        ...walker,
        trusts: true,
        wanted: new Set([...walker.wanted, 'secondary_totp']),
      }
      await enter(trusting, '/login')
      await signOut(walker)
    }
    const amr = await enter(walker, '/login')
    expectShown(way, amr)
    count('login')
    if (
      others.includes('signup_login, of a user') &&
      beginsBy(config, 'signup_login', identification)
    ) {
      if (identification !== 'select_account') await signOut(walker)
      expectShown(way, await enter(walker, `${bothPath}/login`))
      count('signup_login, of a user')
    }
    const recovers = beginsBy(config, 'account_recovery', identification)
    if (others.includes('account_recovery') && recovers && way.primary === 'primary_password') {
      await signOut(walker)
      walker.world.server.pass(61_000)
      await walker.page.goto(`${walker.world.server.origin}/recovery`)
      await walk(walker, ({ title }) => title === 'Your password is set')
      await walker.page.getByRole('link', { name: 'Sign in' }).click()
      expect(await enter(walker, '/login')).toContain('x_primary_password')
      count('account_recovery')
    }
  }

  async function walkNewcomers(way: Way, others: readonly OtherFlow[]): Promise<void> {
    const config = readConfig(way)
    const { identification } = way
    if (
      others.includes('signup_login, of a newcomer') &&
      beginsBy(config, 'signup', identification) &&
      beginsBy(config, 'signup_login', identification)
    ) {
      await enter(await begin(way), `${bothPath}/login`)
      count('signup_login, of a newcomer')
    }
    if (!others.includes('promote') || !beginsBy(config, 'promote', identification)) return
    const walker = await begin(way)
    const guest = await walker.world.beGuest(walker.page)
    await enter(walker, '/signup')
    expect((await sessionOf(walker.page, walker.world)).user).toBe(guest)
    count('promote')
  }

  for (const way of ways) {
    itFor(way, nameOfWay(way), async () => {
      await walkUser(way, othersOf(way))
      await walkNewcomers(way, othersOf(way))
    })
  }

  for (const way of stumbling) {
    itFor(
      way,
      `goes on after everything went wrong once at each step: ${nameOfWay(way)}`,
      async () => {
        const refused = new Set<string>()
        await walkUser(way, isWide ? otherFlows : [], refused)
        // A provider has its own pages.
        if (way.identification !== 'oauth') expect(refused.size).toBeGreaterThan(0)
        if (!isWithAppAndPassword(way)) return
        expect([...refused]).toEqual([
          'identification_data',
          'verify_oob_otp_data',
          'create_authenticator_data',
          'create_totp_data',
          'authentication_data',
          ...(isWide ? recovering : []),
        ])
      },
    )
  }

  it('counts them', () => {
    const total = [...ended.values()].reduce((sum, one) => sum + one, 0)
    process.stdout.write(
      `${new Set([...ways, ...stumbling]).size} of ${possible.length} configurations, ${total} flows that ended in a session: ${JSON.stringify(Object.fromEntries(ended))}\n`,
    )
    // A change of the schema, or of what the service makes of it, changes the number.
    expect(possible).toHaveLength(102)
    for (const flow of [
      'signup',
      'login',
      'signup_login, of a user',
      'signup_login, of a newcomer',
      'promote',
      'account_recovery',
    ]) {
      expect(ended.get(flow) ?? 0, flow).toBeGreaterThan(0)
    }
  })
})
