import {
  built,
  choice,
  filledListOf,
  filledText,
  flag,
  listOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  secretText,
} from '@gatehouse/core/document'
import { type OidcClient, oidcChoices, oidcDefaults } from '@gatehouse/oidc'
import { filledOutsideText } from '../config/kinds.ts'

interface ClientSection {
  readonly client_id: string
  readonly name: string
  readonly type: OidcClient['type']
  readonly client_secret: string | readonly string[] | undefined
  readonly redirect_uris: readonly string[] | undefined
  readonly post_logout_redirect_uris: readonly string[] | undefined
  readonly scopes: readonly string[] | undefined
  readonly consent: OidcClient['consent']
  readonly grant_types: OidcClient['grantTypes']
  readonly resources: readonly string[] | undefined
  readonly backchannel_logout_uri: string | undefined
  readonly uri: string | undefined
  readonly logo_uri: string | undefined
  readonly policy_uri: string | undefined
  readonly tos_uri: string | undefined
  readonly require_par: boolean | undefined
  readonly require_dpop: boolean | undefined
  readonly id_token_alg: OidcClient['idTokenAlg']
}

const texts = listOf(filledText)
const addresses = listOf(filledOutsideText)

const manySecrets = filledListOf(secretText)
const clientSecret: Schema<string | readonly string[]> = choice<string | readonly string[]>(
  [secretText, manySecrets],
  (given) => (Array.isArray(given) ? manySecrets : secretText),
)

/** An app. The options of the authorization server check what values mean. */
export const oidcClient: Schema<OidcClient> = built(
  mapping<ClientSection>(
    {
      client_id: required(filledText, 'The id that requests use.'),
      name: required(filledText, 'Its name, as people read it when they are asked for consent.'),
      type: required(
        oneOf(...oidcChoices.type),
        '`web` for an app with a server that keeps a secret, `spa` for one that is only a page, `native` for one on a device or at a shell, `service` for a program without people.',
      ),
      client_secret: optional(
        clientSecret,
        `The secret of a \`web\` app or a \`service\`, of at least 24 characters, better as \`\${env:NAME}\` or as \`{ file: PATH }\`. A list while one replaces another.`,
      ),
      redirect_uris: optional(
        addresses,
        'Where people are sent back to. Compared character by character, except for the port of a `native` app on this machine. Required unless it is a `service`.',
      ),
      post_logout_redirect_uris: optional(
        addresses,
        'Where people may be sent after they signed out. Default: nowhere.',
      ),
      scopes: optional(texts, 'The scopes that it may ask for. Default: all.'),
      consent: optional(
        oneOf(...oidcChoices.consent),
        '`never` for an app of your own: people are not asked whether it may know them.',
        oidcDefaults.client.consent,
      ),
      grant_types: optional(
        listOf(oneOf(...oidcChoices.grantTypes)),
        'How it gets tokens. Default: what its type needs.',
      ),
      resources: optional(
        texts,
        'Identifiers of `resources` for which it may ask access tokens. Default: none.',
      ),
      backchannel_logout_uri: optional(
        filledOutsideText,
        'Where it is told that a session has ended.',
      ),
      uri: optional(filledOutsideText, 'Its page, which the consent page links to.'),
      logo_uri: optional(filledOutsideText, 'Its logo on the consent page.'),
      policy_uri: optional(filledOutsideText, 'Its privacy policy.'),
      tos_uri: optional(filledOutsideText, 'Its terms of service.'),
      require_par: optional(
        flag,
        'Whether its requests must be pushed first (PAR).',
        oidcDefaults.client.requirePar,
      ),
      require_dpop: optional(
        flag,
        'Whether its tokens must be bound to a key (DPoP).',
        oidcDefaults.client.requireDpop,
      ),
      id_token_alg: optional(
        oneOf(...oidcChoices.idTokenAlg),
        'The algorithm of signatures of its ID tokens.',
        oidcDefaults.client.idTokenAlg,
      ),
    },
    { title: 'OidcClient' },
  ),
  (given): OidcClient => ({
    clientId: given.client_id,
    name: given.name,
    type: given.type,
    clientSecret: given.client_secret,
    redirectUris: given.redirect_uris,
    postLogoutRedirectUris: given.post_logout_redirect_uris,
    scopes: given.scopes,
    consent: given.consent,
    grantTypes: given.grant_types,
    resources: given.resources,
    backchannelLogoutUri: given.backchannel_logout_uri,
    uri: given.uri,
    logoUri: given.logo_uri,
    policyUri: given.policy_uri,
    tosUri: given.tos_uri,
    requirePar: given.require_par,
    requireDpop: given.require_dpop,
    idTokenAlg: given.id_token_alg,
  }),
)
