import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsup'
import { base, typesOf, writeLicenses } from '../../tsup.base.ts'

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

/** A verb without a service, in a file of its own: zod, which other verbs use, is not dropped as a whole. */
const verbs = { 'verbs/hash-message': 'src/webhook/hash-message.ts' }

/** Its build for Node.js is CommonJS, which bundlers can neither take apart nor put into an ES module. The other one is the same library. */
const yaml = new URL('../../node_modules/yaml/browser/index.js', import.meta.url)

export default defineConfig({
  ...base,
  noExternal: ['yaml'],
  esbuildOptions(options) {
    options.alias = { yaml: fileURLToPath(yaml) }
  },
  onSuccess: async () => writeLicenses(['yaml']),
  entry: { ...entry, ...verbs },
  dts: typesOf(entry),
})
