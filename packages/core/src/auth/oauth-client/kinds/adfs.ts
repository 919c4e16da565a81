import { textOf } from '../json-object.ts'
import type { OpenIdKind } from '../provider-kind.ts'
import { oidc } from './oidc.ts'

/** @see https://learn.microsoft.com/windows-server/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts */
export const adfs: OpenIdKind = {
  ...oidc,
  prompts: ['none', 'login'],
  clientAuthentications: ['client_secret_post', 'client_secret_basic'],
  // Its user-info endpoint returns only the subject.
  asksUserInfo: false,

  /** The name of a user in Active Directory looks like an email address, and usually is one. */
  claims(said) {
    const upn = textOf(said, 'upn')
    if (upn === undefined) return said
    const isAddress = /^[^\s@]+@[^\s@]+$/.test(upn)
    return { preferred_username: upn, ...(isAddress ? { email: upn } : {}), ...said }
  },
}
