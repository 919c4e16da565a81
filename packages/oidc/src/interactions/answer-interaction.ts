import type { AuthContext, Session } from '@gatehouse/core'
import { emptyAnswer, readBody } from '@gatehouse/core/adapter'
import { type FramedAnswer, getUser } from '@gatehouse/core/auth'
import type { Provider } from 'oidc-provider'
import { findApp, letIn, type Permission } from '../apps/grants.ts'
import { resourceServerOf } from '../clients/resources.ts'
import { isStandardScope, type OidcSettings } from '../config/settings.ts'
import { interactionPath } from '../endpoint-paths.ts'
import { answerPage, shownAccount, shownClient } from '../exchange/answer-page.ts'
import { type Exchange, type LoadedProvider, maxBodyBytes, nodePair } from '../exchange/dispatch.ts'
import { chosenLanguage, languageParameter } from '../exchange/kept-language.ts'
import { consentPage, decisionOf } from '../pages/consent-page.ts'
import { failurePage } from '../pages/failure-page.ts'
import type { FailureKind } from '../pages/words/words.ts'
import { loginOf, signedInSession } from '../sessions/session-mirror.ts'
import { saveInteraction } from './bridge.ts'
import { nextStep, parameterOf } from './interaction-record.ts'

type Interaction = InstanceType<Provider['Interaction']>

/** An interaction that a browser goes on with. */
export interface Visit {
  readonly auth: AuthContext
  readonly settings: OidcSettings
  readonly loaded: LoadedProvider
  readonly exchange: Exchange
}

const seeOther = (location: string): FramedAnswer =>
  emptyAnswer(303, { location, 'referrer-policy': 'no-referrer' })

function failure(
  { auth, exchange }: Visit,
  status: number,
  kind: FailureKind,
  details: readonly string[] = [],
): FramedAnswer {
  return answerPage(auth, exchange, (language) => failurePage({ status, kind, details }, language))
}

/** The interaction of the address, if it was begun in this browser, which has its cookie. */
async function interactionOf({ loaded, exchange }: Visit): Promise<Interaction | undefined> {
  const { provider } = loaded
  const { request, response } = nodePair(exchange, { issuer: provider.issuer, url: '/' })
  const context = provider.createContext(request, response)
  const uid = context.cookies.get(provider.cookieName('interaction'), { signed: true })
  if (uid === undefined || uid !== exchange.info.params.uid) return undefined
  return provider.Interaction.find(uid)
}

/** Leads a browser through an authorization request: to sign up or in, to choose an account, to consent, and back to the app. */
export async function answerInteraction(visit: Visit): Promise<FramedAnswer> {
  const interaction = await interactionOf(visit)
  if (interaction === undefined) return failure(visit, 400, 'expired')
  const isActing = (await visit.exchange.session())?.impersonated_by !== undefined
  if (isActing) return failure(visit, 403, 'impersonated')
  const session = await signedInSession(visit.exchange)
  if (interaction.prompt.name === 'consent') return consent(visit, interaction, session)
  const next = nextStep(interaction, session, visit.auth.clock.now())
  if (session === undefined || next === 'authenticate' || next === 'choose') {
    return seeOther(
      signInAddress(visit, interaction, next === 'authenticate' && session !== undefined),
    )
  }
  if (next === 'unfit') {
    return refuse(visit, interaction, {
      error: 'login_required',
      error_description: 'the person who has signed in does not fulfil the request',
    })
  }
  const { name } = interaction.prompt
  const login = name === 'select_account' ? {} : { login: loginOf(session) }
  return finish(visit, interaction, { ...(name === 'login' ? {} : { [name]: {} }), ...login })
}

/** The page to sign up if the app asks for a new account and sign-up is open, else the page to sign in. */
function signInAddress(
  { settings, auth, exchange }: Visit,
  interaction: Interaction,
  isAgain: boolean,
): string {
  const query = new URLSearchParams({ x_ref: interaction.uid })
  for (const name of ['client_id', languageParameter, 'login_hint']) {
    const value = parameterOf(interaction, name)
    if (value !== undefined) query.set(name, value)
  }
  const chosen = chosenLanguage(exchange.info.query)
  if (chosen !== undefined) query.set(languageParameter, chosen)
  if (isAgain) query.set('prompt', 'login')
  const { http, authentication } = auth.config.current
  const isNew = interaction.prompt.name === 'create' && !authentication.public_signup_disabled
  return `${http.public_origin}${isNew ? settings.signUpPath : settings.signInPath}?${query}`
}

/** Stores the results and leads back to the library. */
async function finish(
  { auth }: Visit,
  interaction: Interaction,
  results: Readonly<Record<string, unknown>>,
): Promise<FramedAnswer> {
  // The library compares the session that the request began with to the one that it ends with. They may differ here, because each
  // request mirrors the session of the browser.
  interaction.session = undefined
  interaction.result = { ...interaction.lastSubmission, ...results }
  await saveInteraction(auth, interaction)
  return seeOther(interaction.returnTo)
}

/** Leads back to the library with an error for the app. */
async function refuse(
  { auth }: Visit,
  interaction: Interaction,
  error: { readonly error: string; readonly error_description: string },
): Promise<FramedAnswer> {
  interaction.session = undefined
  interaction.result = error
  await saveInteraction(auth, interaction)
  return seeOther(interaction.returnTo)
}

/** What a request asks for, as far as the client may have it. */
function askedBy({ params }: Interaction, settings: OidcSettings, clientId: string): Permission {
  const asked = String(params.scope ?? '')
    .split(' ')
    .filter((scope) => scope !== '')
  const identifiers = [params.resource ?? []].flat().map(String)
  const ofResources = identifiers.flatMap((identifier) => {
    const { scope } = resourceServerOf(settings, identifier, clientId)
    const allowed = scope.split(' ')
    const own = asked.filter((one) => allowed.includes(one))
    return own.length === 0 ? [] : [[identifier, own] as const]
  })
  return {
    scopes: asked.filter((scope) => isStandardScope(scope) || settings.scopes.has(scope)),
    resources: Object.fromEntries(ofResources),
  }
}

const placeOf = ({ basePath }: OidcSettings, { uid }: Interaction): string =>
  `${basePath}${interactionPath}/${uid}`

/** The text in a form that only the page of this request and this session has. */
const proofPurpose = 'oidc consent'
const proofField = 'proof'
const proofText = ({ uid }: Interaction, { id }: Session): string => `${uid} ${id}`

/** Asks the person, or takes the answer. */
async function consent(
  visit: Visit,
  interaction: Interaction,
  session: Session | undefined,
): Promise<FramedAnswer> {
  const { settings, loaded, exchange } = visit
  // The person has signed out since.
  if (session === undefined) return seeOther(signInAddress(visit, interaction, false))
  const clientId = parameterOf(interaction, 'client_id') ?? ''
  const client = await loaded.provider.Client.find(clientId)
  if (client === undefined) return failure(visit, 400, 'request', ['invalid_client'])
  const asked = askedBy(interaction, settings, clientId)
  if (exchange.request.method !== 'POST') {
    return askForConsent(visit, { interaction, session, client, asked })
  }
  const wasIn = (await findApp(visit.auth, session.user_id, clientId)) !== undefined
  const body = await readBody(exchange.request, maxBodyBytes)
  const form = new URLSearchParams(Buffer.from(body ?? []).toString())
  const proof = form.get(proofField) ?? ''
  if (!visit.auth.secrets.checkMac(proofPurpose, proofText(interaction, session), proof)) {
    return failure(visit, 403, 'foreign')
  }
  switch (decisionOf(form)) {
    case 'allow':
      return allow(visit, { interaction, session, client, asked, wasIn })
    case 'deny':
      return refuse(visit, interaction, {
        error: 'access_denied',
        error_description: 'the person has refused',
      })
    case 'switch':
      return seeOther(signInAddress(visit, interaction, true))
    default:
      return failure(visit, 400, 'request')
  }
}

interface Asking {
  readonly interaction: Interaction
  readonly session: Session
  readonly client: InstanceType<Provider['Client']>
  readonly asked: Permission
}

async function askForConsent(
  visit: Visit,
  { interaction, session, client, asked }: Asking,
): Promise<FramedAnswer> {
  const { auth, settings, exchange } = visit
  const account = shownAccount(await getUser(auth, session.user_id))
  const proof = auth.secrets.mac(proofPurpose, proofText(interaction, session))
  const view = {
    client: shownClient(settings, client),
    account,
    asked: {
      scopes: asked.scopes,
      resources: Object.entries(asked.resources).map(([identifier, scopes]) => ({
        identifier,
        scopes,
      })),
    },
    names: settings,
    redirectUri: parameterOf(interaction, 'redirect_uri'),
    target: {
      action: placeOf(settings, interaction),
      values: { [proofField]: proof },
    },
  }
  const locales = parameterOf(interaction, languageParameter)
  return answerPage(auth, exchange, (language) => consentPage(view, language), locales)
}

async function allow(
  visit: Visit,
  { interaction, session, client, asked, wasIn }: Asking & { readonly wasIn: boolean },
): Promise<FramedAnswer> {
  const { auth, loaded, settings } = visit
  const { clientId, clientName: name } = client
  const { grantId } = interaction
  const app = { sessionId: session.id, userId: session.user_id, clientId, name, grantId, wasIn }
  const grant = await letIn(auth, loaded.provider, app, { granted: asked, consented: asked })
  // The app was taken back meanwhile, or the session has ended.
  if (grant === undefined) return seeOther(placeOf(settings, interaction))
  // The person may have changed the account on this page.
  const login = interaction.lastSubmission?.login === undefined ? {} : { login: loginOf(session) }
  return finish(visit, interaction, { ...login, consent: { grantId: grant.jti } })
}
