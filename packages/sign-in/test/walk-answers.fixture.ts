import type { AuthenticateOption, FlowAt, PromptName } from '@gatehouse/client'
import { totpCode } from '@gatehouse/core/testing'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { keepPage, takePage } from '../../../test-support/idle-pages.ts'
import { en } from '../src/texts/en.ts'
import { still } from './sign-in.fixture.ts'
import type { Person, World } from './walk-world.fixture.ts'

/** A person at a page, and what the person wants to use where a step offers several ways. */
export interface Walker {
  readonly world: World
  readonly person: Person
  page: Page
  /** Names of identifications and authenticators. */
  readonly wanted: ReadonlySet<string>
  /** The prompts that were met, in order. */
  readonly met: string[]
  /** Whether the box that trusts the device is ticked. */
  readonly trusts?: boolean
  /** The prompts at which a wrong answer was refused, if everything goes wrong once at each step before it goes right. */
  readonly refused?: Set<string>
}

/** Presses the button that sends the form of a step. */
const send = (page: Page): Promise<void> =>
  page.locator('.step button[type=submit]').first().click()

const pick = <Option extends object>(
  options: readonly Option[],
  key: keyof Option,
  wanted: ReadonlySet<string>,
): number => {
  const at = options.findIndex((option) => wanted.has(String(option[key])))
  return at === -1 ? 0 : at
}

const isEmail = (channel: string): boolean => channel === 'email'

/** The address that a masked one stands for. */
function targetOf({ person }: Walker, channel: string, masked: string): string {
  const own = isEmail(channel)
    ? [person.email, person.secondEmail]
    : [person.phone, person.secondPhone]
  const parts = masked.split(/\*+/)
  const fits = (target: string): boolean =>
    target.startsWith(parts[0] ?? '') && target.endsWith(parts.at(-1) ?? '')
  return own.find(fits) ?? own[0] ?? ''
}

/** How a step is answered. */
export interface Answer<Name extends PromptName> {
  right(walker: Walker, flow: FlowAt<Name>): Promise<void>
  /** Gives an answer that is refused, where there is one. Returns what the page must say. */
  wrong?(walker: Walker, flow: FlowAt<Name>): Promise<RegExp | undefined>
}

const fill = (page: Page, name: string, value: string): Promise<void> =>
  page.locator(`.step [name="${name}"]`).fill(value)

async function typeCode(page: Page, code: string): Promise<void> {
  // A full code sends itself.
  await fill(page, 'code', code)
}

async function sayWho(walker: Walker, kind: string, login: string): Promise<void> {
  const { page } = walker
  const other = page.getByRole('button', {
    name: en[`with.${kind}` as keyof typeof en],
    exact: true,
  })
  if ((await other.count()) > 0) await other.click()
  await fill(page, kind === 'phone' ? 'login-typed' : 'login', login)
  await send(page)
}

const loginOf = ({ person }: Walker, kind: string): string =>
  ({ email: person.email, phone: person.phone, username: person.username })[kind] ?? ''

async function inDirectory(
  { page, person }: Walker,
  server: string,
  password: string,
): Promise<void> {
  const way = page.getByRole('button', { name: en['with.ldap'].replace('{server}', server) })
  if ((await way.count()) > 0) await way.click()
  await fill(page, 'username', person.username)
  await fill(page, 'password', password)
  await send(page)
}

const wrongCode = async ({ page }: Walker): Promise<RegExp> => {
  await typeCode(page, '000000')
  return /not right/
}

const weakPassword = async ({ page }: Walker): Promise<RegExp> => {
  await fill(page, 'password', 'short')
  await send(page)
  return /does not meet the rules/
}

/** Says who one is in a way that nobody is called. */
async function misspeak(walker: Walker, kind: string): Promise<RegExp | undefined> {
  const malformed = { email: 'maya', phone: '12', username: '!' }[kind]
  if (malformed === undefined) return undefined
  await sayWho(walker, kind, malformed)
  return /That is not (?:an email address|a phone number)|This username cannot be used/
}

/** The answer to each prompt. The compiler misses none. */
export const answers: { readonly [Name in PromptName]: Answer<Name> } = {
  identification_data: {
    async right(walker, { action }) {
      const { options } = action.data
      const { page } = walker
      const option = options[pick(options, 'identification', walker.wanted)]
      switch (option?.identification) {
        case 'oauth':
          return page.locator('.step .provider').first().click()
        case 'passkey':
          return page.getByRole('button', { name: en['with.passkey'] }).click()
        case 'select_account':
          return page.locator('.step .choice').first().click()
        case 'ldap':
          return inDirectory(walker, option.server_name, walker.person.directoryPassword)
        default:
          return sayWho(
            walker,
            option?.identification ?? '',
            loginOf(walker, option?.identification ?? ''),
          )
      }
    },
    wrong(walker, { action }) {
      const { options } = action.data
      const option = options[pick(options, 'identification', walker.wanted)]
      if (option?.identification !== 'ldap') return misspeak(walker, option?.identification ?? '')
      return inDirectory(walker, option.server_name, 'wrong').then(() => /not right|did not accept/)
    },
  },
  account_recovery_identification_data: {
    wrong(walker, { action }) {
      const { options } = action.data
      return misspeak(
        walker,
        options[pick(options, 'identification', walker.wanted)]?.identification ?? '',
      )
    },
    right(walker, { action }) {
      const { options } = action.data
      const kind = options[pick(options, 'identification', walker.wanted)]?.identification ?? ''
      return sayWho(walker, kind, loginOf(walker, kind))
    },
  },
  account_linking_identification_data: {
    right: ({ page }) => page.locator('.step .choice').first().click(),
  },
  // The page leaves by itself; the provider has one button.
  oauth_data: { right: async () => {} },
  authentication_data: {
    async right(walker, flow) {
      const { page, person, world } = walker
      const isOffered = flow.action.data.device_token_enabled
      const option = await chooseWay(walker, flow)
      if (isOffered && walker.trusts === true) {
        const box = page.locator('.step [name=trust]')
        if ((await box.count()) > 0) await box.check()
      }
      switch (option) {
        case 'primary_password':
        case 'secondary_password':
          await fill(
            page,
            'password',
            option === 'primary_password' ? person.password : person.secondPassword,
          )
          return send(page)
        case 'primary_passkey':
          return page.getByRole('button', { name: en['passkey.submit'] }).click()
        case 'secondary_totp':
          // Each code is good once.
          world.server.pass(30_000)
          return typeCode(page, totpCode(person.totpSecret, world.server.clock))
        case 'recovery_code':
          await fill(page, 'code', person.recoveryCodes.shift() ?? '')
          return send(page)
        default:
          // The press that chose it has sent the code.
          return undefined
      }
    },
    async wrong(walker, flow) {
      const { page } = walker
      // To choose one of the others is to use it.
      const typed = ['primary_password', 'secondary_password', 'secondary_totp', 'recovery_code']
      if (!typed.includes(wantedWay(walker, flow).way.authentication)) return undefined
      const option = await chooseWay(walker, flow)
      if (option === 'secondary_totp') return wrongCode(walker)
      await (option === 'recovery_code'
        ? fill(page, 'code', 'AAAAAAAAAA')
        : fill(page, 'password', 'wrong'))
      await send(page)
      return /not right/
    },
  },
  create_authenticator_data: {
    async right(walker, { action }) {
      const { page, person } = walker
      const { options } = action.data
      const at = pick(options, 'authentication', walker.wanted)
      const option = options[at]
      await chooseSetUp(page, options.length, at)
      if (option === undefined) throw new Error('nothing to set up is offered')
      if ('password_policy' in option) {
        const isFirst = option.authentication === 'primary_password'
        await fill(page, 'password', isFirst ? person.password : person.secondPassword)
        return send(page)
      }
      if (!('channels' in option)) return undefined
      const isPhone = option.authentication.endsWith('_sms')
      if (option.target === undefined) {
        await fill(
          page,
          isPhone ? 'target-typed' : 'target',
          isPhone ? person.secondPhone : person.secondEmail,
        )
      }
      return send(page)
    },
    async wrong(walker, { action }) {
      const { options } = action.data
      const at = pick(options, 'authentication', walker.wanted)
      const option = options[at]
      if (option === undefined || !('password_policy' in option)) return undefined
      await chooseSetUp(walker.page, options.length, at)
      return weakPassword(walker)
    },
  },
  create_totp_data: {
    wrong: wrongCode,
    async right({ page, person, world }, { action }) {
      // As a person types it from the page.
      person.totpSecret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
      if (person.totpSecret !== action.data.secret) throw new Error('the page shows another secret')
      await typeCode(page, totpCode(person.totpSecret, world.server.clock))
    },
  },
  select_oob_otp_channels_data: {
    right: ({ page }) => page.locator('.step .choice').first().click(),
  },
  verify_oob_otp_data: {
    async wrong(walker, { action }) {
      if (action.data.otp_form === 'code') return wrongCode(walker)
      await walker.page.getByRole('button', { name: en['link.check'] }).click()
      await walker.page
        .getByText(en['link.not.yet'])
        .or(walker.page.getByText(en['error.Unreachable']))
        .first()
        .waitFor()
      return undefined
    },
    async right(walker, { action }) {
      const { page, world } = walker
      const { channel, masked_claim_value: masked, otp_form: form } = action.data
      const { code, link } = await world.read(targetOf(walker, channel, masked))
      if (form === 'code') return typeCode(page, code)
      // The link is opened in another browser; this page goes on by itself.
      const browser = page.context().browser() ?? expect.fail('the browser has gone')
      const phone = await takePage(browser, still)
      await phone.goto(link ?? '')
      await phone.getByRole('button', { name: 'Yes, confirm' }).click()
      await phone.getByText('Confirmed').first().waitFor()
      await keepPage(browser, phone, still)
    },
  },
  view_recovery_code_data: {
    async right({ page, person }) {
      person.recoveryCodes = await page.locator('.codes code').allInnerTexts()
      await page.locator('.step [name=kept]').check()
      await send(page)
    },
  },
  create_passkey_data: {
    right: ({ page }) => page.getByRole('button', { name: en['create-passkey.submit'] }).click(),
  },
  new_password_data: {
    wrong: weakPassword,
    async right({ page, person }) {
      person.password = `${person.password}-2`
      await fill(page, 'password', person.password)
      await send(page)
    },
  },
  account_recovery_select_destination_data: {
    right: ({ page }) => page.locator('.step .choice').first().click(),
  },
  account_recovery_verify_code_data: {
    wrong: async (walker, { action }) =>
      action.data.otp_form === 'code' ? wrongCode(walker) : undefined,
    async right(walker, { action }) {
      const { channel, masked_display_name: masked, otp_form: form } = action.data
      const { code, link } = await walker.world.read(targetOf(walker, channel, masked))
      if (form === 'code') return typeCode(walker.page, code)
      // The link goes on in the tab that it opens.
      walker.page = await walker.page.context().newPage()
      await walker.page.goto(link ?? '')
    },
  },
  fill_in_user_profile: {
    async right({ page }, { action }) {
      for (const { pointer } of action.data.attributes) await fill(page, pointer, 'Maya')
      await send(page)
    },
  },
  check_account_status: { right: ({ page }) => send(page) },
  terminate_other_sessions: { right: ({ page }) => send(page) },
  finished: { right: async () => {} },
}

/** The wanted way of a step, and its place in the list. */
function wantedWay(
  { wanted }: Walker,
  { action }: FlowAt<'authentication_data'>,
): {
  readonly ways: readonly AuthenticateOption[]
  readonly way: AuthenticateOption
  readonly at: number
} {
  const ways = action.data.options.flatMap((option): readonly AuthenticateOption[] =>
    'channels' in option ? option.channels.map(() => option) : [option],
  )
  const at = pick(ways, 'authentication', wanted)
  const way = ways[at]
  if (way === undefined) throw new Error('no way to authenticate is offered')
  return { ways, way, at }
}

/** Shows the wanted way of a step, and returns its name. A way that sends a message is chosen by sending it. */
async function chooseWay(walker: Walker, flow: FlowAt<'authentication_data'>): Promise<string> {
  const { page } = walker
  const { ways, way, at } = wantedWay(walker, flow)
  const isShownAtOnce = ways[0] !== undefined && !('channels' in ways[0])
  const isList = (await page.locator('.step .choice').count()) > 0
  if (!isList && isShownAtOnce && at === 0) return way.authentication
  if (!isList && (await page.getByRole('button', { name: en.other }).count()) > 0) {
    await page.getByRole('button', { name: en.other }).click()
  }
  if ((await page.locator('.step .choice').count()) > 0)
    await page.locator('.step .choice').nth(at).click()
  return way.authentication
}

async function chooseSetUp(page: Page, count: number, at: number): Promise<void> {
  if (count > 1 && (await page.locator('.step .choice').count()) > 0) {
    await page.locator('.step .choice').nth(at).click()
  }
}
