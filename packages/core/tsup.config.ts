import { defineConfig } from 'tsup'
import { base, typesOf } from '../../tsup.base.ts'

/** The entries of `exports`. */
const entry = {
  index: 'src/index.ts',
  adapter: 'src/http/index.ts',
  alerts: 'src/alerts/index.ts',
  auth: 'src/auth/index.ts',
  config: 'src/config/index.ts',
  conformance: 'src/conformance/index.ts',
  document: 'src/document/index.ts',
  'external-jwt': 'src/auth/external-jwt/index.ts',
  input: 'src/input/index.ts',
  ldap: 'src/auth/ldap-client/index.ts',
  oauth: 'src/auth/oauth-client/index.ts',
  passkeys: 'src/auth/webauthn/index.ts',
  'password-strength': 'src/auth/password-strength/index.ts',
  phone: 'src/auth/phone/index.ts',
  store: 'src/storage/index.ts',
  template: 'src/template/index.ts',
  testing: 'src/testing/index.ts',
  webhook: 'src/webhook/index.ts',
}

/** Verbs that are used without a service. A file of their own keeps the service out of the bundle of an app. */
const verbs = {
  'verbs/hash-message': 'src/webhook/hash-message.ts',
  'verbs/matcher': 'src/alerts/matcher/matcher-syntax.ts',
}

export default defineConfig({
  ...base,
  shims: true, // import.meta.url in the CommonJS build
  entry: { ...entry, ...verbs },
  dts: typesOf(entry),
})
