import type { GatehouseError } from '../../errors.ts'
import { authError } from '../errors.ts'
import type { OAuthProviderConfig } from './oauth-provider.ts'

/** The configuration of a provider does not work. `problem` ends a sentence that begins with the provider. */
export const invalidConfiguration = (
  { alias }: Pick<OAuthProviderConfig, 'alias'>,
  problem: string,
): GatehouseError => {
  const message = `the identity provider "${alias}" ${problem}`
  return authError('InternalError', 'InvalidConfiguration', message)
}
