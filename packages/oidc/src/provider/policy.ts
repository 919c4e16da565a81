import { interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { OidcSettings } from '../config/settings.ts'
import { fulfilsLevels } from '../sessions/assurance-levels.ts'
import { isSessionOfBrowser } from '../sessions/session-mirror.ts'

const { Check, Prompt, base } = interactionPolicy

/** When people are asked to sign up, to sign in, to choose an account, and to consent. */
export function createPolicy(settings: OidcSettings): interactionPolicy.DefaultPolicy {
  const policy = base()
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0)
  policy.add(new Prompt({ name: 'create', requestable: true }), 0)
  const { checks } = policy.get('login') ?? new Prompt({ name: 'login' })
  checks.add(
    new Check(
      'session_changed',
      'the session at this browser is another one',
      'login_required',
      async (ctx) => ctx.oidc.session?.accountId !== undefined && !(await isSessionOfBrowser(ctx)),
    ),
  )
  checks.add(
    new Check(
      'acr_values',
      'the requested level of assurance was not shown',
      'login_required',
      ({ oidc }) => {
        const { acr_values: asked } = oidc.params ?? {}
        return typeof asked === 'string' && !fulfilsLevels(asked, oidc.session?.acr)
      },
    ),
  )
  const consent = policy.get('consent')?.checks
  for (const reason of ['consent_prompt', 'native_client_prompt']) {
    const check = consent?.get(reason)
    if (check === undefined) continue
    const original = check.check
    // The owner has decided that people are not asked about this app, whatever the app wants.
    check.check = (ctx) => !isNeverAsked(settings, ctx) && original(ctx)
  }
  return policy
}

const isNeverAsked = (settings: OidcSettings, { oidc }: KoaContextWithOIDC): boolean =>
  settings.clients.get(oidc.client?.clientId ?? '')?.consent === 'never'
