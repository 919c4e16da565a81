import type { AuthOptions } from '../auth-options.ts'
import type { HookAnswer } from '../flow/hooks/host-hook.ts'
import { totpCode } from '../kinds/totp/totp.ts'
import { importUsers } from '../people/import-users.ts'
import type { ImportedUser } from '../people/imported-user.ts'
import { decodeBase32 } from '../secrets/base32.ts'
import {
  type ConfigDelta,
  startFlow,
  type TestAuth,
  type TestFlow,
  testAuth,
} from '../service.fixture.ts'
import type { AuthEvent } from './auth-event.ts'

export const email = 'maya@harborlight.example'
export const password = 'tidal-lantern-42'
export const totpSecret = 'K5QW4ZLOM5SWK3TFOJQXIZLEEBRHSIDN'

/** Answers of a hook by event, beyond allowing it; or a function that answers. */
export type HookAnswers = {
  readonly [type: string]: Partial<HookAnswer> | ((event: AuthEvent) => Promise<HookAnswer>)
}

/** A service with a hook, and all events the hook received. */
export interface HookedAuth extends TestAuth {
  readonly asked: AuthEvent[]
}

/** Creates a service whose hook allows everything, with the given additions. */
export function hookedAuth(
  answers: HookAnswers = {},
  delta: ConfigDelta = {},
  options: Partial<AuthOptions> = {},
): HookedAuth {
  const asked: AuthEvent[] = []
  const world = testAuth(delta, {
    ...options,
    async hook(event) {
      asked.push(event)
      const answer = answers[event.type] ?? {}
      return typeof answer === 'function' ? answer(event) : { is_allowed: true, ...answer }
    },
  })
  return { ...world, asked }
}

/** Imports Maya with a password and the given members. Returns her id. */
export async function importMaya(
  { auth }: TestAuth,
  mfa: NonNullable<ImportedUser['mfa']> = {},
): Promise<string> {
  const hash = await auth.hasher.hash(password)
  const [made] = await importUsers(auth, [
    { email, password: { type: 'scrypt', password_hash: hash }, mfa },
  ])
  if (made?.outcome !== 'inserted') throw new Error('Maya cannot be made')
  return made.user_id
}

/** The current code of Maya's TOTP app. */
export function totpNow({ clock }: TestAuth, secret: string = totpSecret): string {
  return totpCode(decodeBase32(secret) ?? new Uint8Array(), Math.floor(clock.now() / 30_000))
}

/** A login of Maya after her password. */
export async function logInMaya(world: TestAuth): Promise<TestFlow> {
  const flow = await startFlow(world, 'login')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ authentication: 'primary_password', password })
  return flow
}

/** A sign-up of Maya after her password. */
export async function signUpMaya(world: TestAuth): Promise<TestFlow> {
  const flow = await startFlow(world, 'signup')
  await flow.input({ identification: 'email', login_id: email })
  await flow.input({ code: world.codeTo(email) })
  await flow.input({ authentication: 'primary_password', new_password: password })
  return flow
}
