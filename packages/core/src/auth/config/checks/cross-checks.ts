import type { Checking } from '../../../document/schema.ts'
import type { AuthDocument } from '../auth-document.ts'
import { checkNames } from './check-names.ts'

/** Checks what sections mean together. */
export function checkTogether(checking: Checking<AuthDocument>): void {
  checkSecondFactor(checking)
  checkPasskeys(checking)
  checkAddresses(checking)
  checkNames(checking)
}

function checkSecondFactor({ value, report }: Checking<AuthDocument>): void {
  const { secondary_authentication_mode: mode, secondary_authenticators: list } =
    value.authentication ?? {}
  if (mode !== 'required' || list?.length !== 0) return
  report(
    ['authentication', 'secondary_authenticators'],
    'empty',
    `must not be empty with secondary_authentication_mode: ${mode}`,
  )
}

function checkPasskeys({ value, report }: Checking<AuthDocument>): void {
  const { identities, primary_authenticators: primary } = value.authentication ?? {}
  if (identities === undefined || primary === undefined) return
  const isIdentity = identities.includes('passkey')
  const isAuthenticator = primary.includes('passkey')
  if (isIdentity !== isAuthenticator) {
    const key = isIdentity ? 'primary_authenticators' : 'identities'
    const message = 'must contain passkey too: it is in both identities and primary_authenticators'
    report(['authentication', key], 'conflict', message)
  }
  if (isIdentity && !identities.includes('login_id')) {
    const message = 'must contain login_id too: passkey needs it'
    report(['authentication', 'identities'], 'conflict', message)
  }
}

/** Values that only a provider can supply must come from the provider. */
function checkAddresses({ value, isBroken, report }: Checking<AuthDocument>): void {
  if (value.http?.allow_insecure === true || isBroken('http', 'allow_insecure')) return
  const providers = value.identity?.oauth?.providers ?? []
  for (const [index, provider] of providers.entries()) {
    const key = 'discovery_document_endpoint'
    if (!/^http:/i.test(provider?.[key] ?? '')) continue
    report(
      ['identity', 'oauth', 'providers', index, key],
      'conflict',
      'must begin with https: or http.allow_insecure must be true',
    )
  }
}
