import type { LoginIdIdentity } from '../../accounts/identity-record.ts'
import type { LoadedAuthConfig, LoginIdKeyConfig } from '../../config/config.ts'

/** The configured key of a login ID. If the key was renamed, the first one of its type; `undefined` if there is none left. */
export function loginIdKeyOf(
  { login_id_key: key, login_id_type: type }: LoginIdIdentity,
  { identity }: Pick<LoadedAuthConfig, 'identity'>,
): LoginIdKeyConfig | undefined {
  const { keys } = identity.login_id
  return keys.find((one) => one.key === key) ?? keys.find((one) => one.type === type)
}
