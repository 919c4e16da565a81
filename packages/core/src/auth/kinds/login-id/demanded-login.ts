import type { Storage } from '../../../storage/storage.ts'
import { findIdentity } from '../../accounts/accounts.ts'
import { keyOfIdentity } from '../../accounts/identities.ts'
import type { LoadedAuthConfig, WithConfig } from '../../config/config.ts'
import type { FlowSession } from '../../flow/state.ts'
import { type LoginIdRules, readLoginId } from '../../login-ids/login-id.ts'
import { parseLoginHint } from './login-hint.ts'

interface LoginPorts extends WithConfig {
  readonly storage: Storage
  readonly loginIdRules: (config: LoadedAuthConfig) => LoginIdRules
}

/** The only user that a flow may have if its login hint demands a login ID. A malformed login ID has no user. */
export async function demandedLogin(
  { storage, config, loginIdRules }: LoginPorts,
  hint: string,
): Promise<Pick<FlowSession, 'demanded_login'>> {
  const hinted = parseLoginHint(hint)
  if (hinted?.isDemanded !== true) return {}
  const read = readLoginId(hinted.type, hinted.text, loginIdRules(config.current), 'look-up')
  if ('problem' in read) return { demanded_login: { key: '', user_id: null } }
  const key = keyOfIdentity('login_id', hinted.type, read.loginId.uniqueKey)
  const identity = await findIdentity(storage, key)
  return { demanded_login: { key, user_id: identity?.user_id ?? null } }
}
