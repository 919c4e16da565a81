import { linkingOf, type WrittenLinking } from './account-linking.ts'
import type { LoadedAuthConfig, TokensConfig } from './config.ts'
import { flowsIn, type WrittenFlows } from './flows/flows.ts'
import { identityOf, type WrittenIdentity } from './identity.ts'

type Config = Omit<LoadedAuthConfig, 'warnings'>

/** The whole document. Some of its sections say what others depend on, and become their configuration once all are decoded. */
export interface AuthDocument
  extends Omit<Config, 'identity' | 'account_linking' | 'authentication_flow'> {
  readonly identity: WrittenIdentity
  readonly account_linking: WrittenLinking
  readonly authentication_flow: WrittenFlows
}

/** The configuration in a document. */
export function configOf({
  identity: writtenIdentity,
  account_linking,
  authentication_flow,
  tokens,
  ...others
}: AuthDocument): Config {
  const loaded = identityOf(writtenIdentity)
  return {
    ...others,
    identity: loaded,
    account_linking: linkingOf(account_linking, loaded),
    authentication_flow: flowsIn(authentication_flow),
    tokens: tokens && tokensOf(tokens, others.http.public_origin),
  }
}

/** The settings, with the audience that is meant where none is written. */
const tokensOf = (written: TokensConfig, publicOrigin: string): TokensConfig =>
  written.audience.length > 0 ? written : { ...written, audience: [publicOrigin] }
