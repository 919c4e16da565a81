import type { LoadedAuthConfig } from '../../core/src/auth/config/config.ts'
import type { DeclaredFlowType, Step } from '../../core/src/auth/config/flow-definition.ts'
import { flowGrammars } from '../../core/src/auth/config/flows/flow-grammar.ts'
import { findFlow } from '../../core/src/auth/default-flows/find-flow.ts'
import type { outsideSections } from './walk-world.fixture.ts'

/** One combination of what a login is made of, by the names of the flows. */
export interface Way {
  readonly identification: string
  /** Absent where the identification proves itself. */
  readonly primary: string | undefined
  readonly secondary: string | undefined
  /** What messages hold: a code to type, or a link to open. */
  readonly form: 'code' | 'link'
}

/** A pseudo factor takes the place of a second one, which is an authenticator app here. */
const isPseudo = (name: string): boolean => name === 'recovery_code' || name === 'device_token'

const { identifications, authentications } = flowGrammars.login_flows

const sends = (name: string | undefined): boolean => /oob_otp_email/.test(name ?? '')

/** Every word of the schema with every other one. `isPossible` finds those that flows are made of. */
export function everyWay(): readonly Way[] {
  const primary = [undefined, ...authentications.filter((name) => name.startsWith('primary_'))]
  const secondary = [
    undefined,
    ...authentications.filter((name) => name.startsWith('secondary_') || isPseudo(name)),
  ]
  return identifications.flatMap((identification) =>
    primary.flatMap((first) =>
      secondary.flatMap((second) =>
        (['code', 'link'] as const)
          .filter((form) => form === 'code' || sends(first) || sends(second))
          .map((form) => ({ identification, primary: first, secondary: second, form })),
      ),
    ),
  )
}

const wordOf = (name: string): string => name.replace(/^(?:primary|secondary)_/, '')
const loginIds = ['email', 'phone', 'username']

/** A configuration with a way and nothing that it does not need. */
export function configOf(way: Way, { oauth, ldap }: ReturnType<typeof outsideSections>): object {
  const { identification, primary, secondary, form } = way
  const isSelfProving = !loginIds.includes(identification)
  const first = identification === 'passkey' ? 'primary_passkey' : primary
  // A document has passkeys on both sides or on none.
  const identity =
    first === 'primary_passkey' ? 'passkey' : { oauth: 'oauth', ldap: 'ldap' }[identification]
  const secondName = secondary && isPseudo(secondary) ? 'secondary_totp' : secondary
  // People sign up by an address where the identification is of users only.
  const needsAddress = identification === 'passkey' || identification === 'select_account'
  return {
    authentication: {
      identities: [
        ...(isSelfProving && !needsAddress ? [] : ['login_id']),
        ...(identity === undefined ? [] : [identity]),
        'anonymous',
      ],
      primary_authenticators:
        first !== undefined ? [wordOf(first)] : needsAddress ? ['password'] : [],
      secondary_authenticators: secondName === undefined ? [] : [wordOf(secondName)],
      secondary_authentication_mode: secondName === undefined ? 'disabled' : 'required',
      secondary_applies_to: ['oauth', 'passkey', 'select_account'],
      recovery_code: { disabled: secondary !== 'recovery_code' },
      device_token: { disabled: secondary !== 'device_token' },
    },
    identity: {
      login_id: { keys: [{ type: isSelfProving ? 'email' : identification }] },
      oauth,
      ldap,
    },
    authenticator: {
      oob_otp: { email: { email_otp_mode: form === 'link' ? 'login_link' : 'code' } },
    },
    verification: { claims: { email: { otp_form: form } } },
    ui: { forgot_password: { email: [{ channel: 'email', otp_form: form }] } },
  }
}

/** Every path through steps, as the names of its branches. */
function pathsThrough(steps: readonly Step[]): readonly (readonly string[])[] {
  const [step, ...rest] = steps
  if (step === undefined) return [[]]
  if (!('one_of' in step)) return pathsThrough(rest)
  return step.one_of.flatMap((branch) => {
    const name = 'identification' in branch ? branch.identification : branch.authentication
    return pathsThrough([...(branch.steps ?? []), ...rest]).map((path) => [name, ...path])
  })
}

/** Whether the login that the service makes of a configuration has the way. */
export function isPossible(way: Way, config: LoadedAuthConfig): boolean {
  const { identification, primary, secondary } = way
  const wanted = [identification, primary, secondary].filter((name) => name !== undefined)
  const steps = findFlow(config, 'login', 'default')?.steps ?? []
  return pathsThrough(steps).some((path) => path.join() === wanted.join())
}

/** Whether the flow `default` of a type begins by an identification. */
export function beginsBy(
  config: LoadedAuthConfig,
  type: DeclaredFlowType,
  identification: string,
): boolean {
  const steps = findFlow(config, type, 'default')?.steps ?? []
  return pathsThrough(steps).some(([name]) => name === identification)
}

/** What the person of a way wants to use, by the names in actions. */
export const wantedBy = ({ identification, primary, secondary }: Way): ReadonlySet<string> =>
  new Set([identification, primary, secondary].filter((name) => name !== undefined))

export const nameOfWay = ({ identification, primary, secondary, form }: Way): string =>
  [identification, primary, secondary, ...(form === 'link' ? ['by link'] : [])]
    .filter((name) => name !== undefined)
    .join(' + ')

const wordsOfWay = ({ identification, primary, secondary, form }: Way): readonly string[] => [
  identification,
  String(primary),
  String(secondary),
  form,
]

/** Ways in which every word is, and links beside codes: each way that has a word which those before it have not. */
export function sampleOf(ways: readonly Way[]): readonly Way[] {
  const seen = new Set<string>()
  return ways.filter((way) => {
    const fresh = wordsOfWay(way).filter((word) => !seen.has(word))
    for (const word of fresh) seen.add(word)
    return fresh.length > 0
  })
}

/** Few ways in which every word is that those in `known` have not: for each of them, the rarest first, the way with most of the missing words. */
export function fewestOf(ways: readonly Way[], known: readonly Way[]): readonly Way[] {
  const seen = new Set(known.flatMap(wordsOfWay))
  const missing = (way: Way): number => wordsOfWay(way).filter((word) => !seen.has(word)).length
  const having = (word: string): readonly Way[] =>
    ways.filter((way) => wordsOfWay(way).includes(word))
  const words = [...new Set(ways.flatMap(wordsOfWay))]
  return words
    .toSorted((one, other) => having(one).length - having(other).length)
    .flatMap((word) => {
      if (seen.has(word)) return []
      const [best] = having(word).toSorted((one, other) => missing(other) - missing(one))
      for (const found of best === undefined ? [] : wordsOfWay(best)) seen.add(found)
      return best === undefined ? [] : [best]
    })
}
