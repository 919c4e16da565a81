import type { AuthOptions } from '../auth-options.ts'
import type { FakeAccount } from '../kinds/oauth/oauth.fixture.ts'
import {
  cloud,
  comeBy,
  google,
  type OAuthHouse,
  oauthHouse,
} from '../kinds/oauth/oauth-house.fixture.ts'
import { createUser } from '../people/create-user.ts'
import { type ConfigDelta, startFlow, type TestFlow } from '../service.fixture.ts'

export const email = 'maya@harborlight.example'
export const password = 'tidal-lantern-42'
/** Maya's account at a provider. */
export const mayaThere: FakeAccount & { readonly email: string } = {
  subject: 'maya-1',
  email,
  name: 'Maya Sole',
}

/** A rule of account linking, as written in the configuration. */
interface WrittenRule {
  readonly name: string
  readonly alias: string
  readonly oauth_claim: { readonly pointer: string }
  readonly user_profile: { readonly pointer: string }
  readonly action: string
}

/** Signs a user who comes by a provider with the address of an account in to that account. */
export const rule = (alias: string, action = 'login_and_link', claim = '/email'): WrittenRule => ({
  name: `${alias}_by${claim.replace('/', '_')}`,
  alias,
  oauth_claim: { pointer: claim },
  user_profile: { pointer: claim },
  action,
})

/** Maya has an account with an address and a password, and accounts can be linked. */
export interface LinkingHouse extends OAuthHouse {
  readonly id: string
}

/** Creates a service in which Maya has an account. */
export async function linkingHouse(
  delta: ConfigDelta = {},
  options: Partial<AuthOptions> = {},
): Promise<LinkingHouse> {
  const account_linking = { oauth: [rule('google'), rule('cloud')] }
  const world = oauthHouse({ account_linking, ...delta }, [google, cloud], options)
  const id = await createUser(world.auth, { email, password })
  // Records created from now on have a later instant.
  world.clock.advance(1_000)
  return { ...world, id }
}

/** A sign-up that has reached the choice of a way to sign in. */
export async function atChoice(
  world: OAuthHouse,
  account: FakeAccount = mayaThere,
): Promise<TestFlow> {
  const flow = await startFlow(world, 'signup')
  await comeBy(world, flow, account)
  return flow
}
