const sectionReason = 'is a section that has no effect here'

/** Why a key is ignored, and the keys for which this is known by name. */
interface Ignoring {
  (key: string): string | undefined
  readonly keys: readonly string[]
}

/** Sections of `authgear.yaml` that are about other things than signing in. */
const foreignSections: ReadonlySet<string> = new Set([
  'account_anonymization',
  'account_migration',
  'admin',
  'admin_api',
  'analytics',
  'app',
  'audit_log',
  'branding',
  'captcha',
  'database',
  'fraud_protection',
  'google_tag_manager',
  'images',
  'network_protection',
  'otp',
  'portal',
  'redis',
  'saml',
  'search',
  'secrets',
  'stripe',
  'template',
  'usage_limits',
  'web3',
  'welcome_message',
])

/** For keys of `authgear.yaml` that say something this service does not do. */
export function ignoring(...keys: readonly string[]): Ignoring {
  const known = new Set(keys)
  const reason = (key: string) => (known.has(key) ? 'has no effect here' : undefined)
  return Object.assign(reason, { keys })
}

/** For the keys of the whole document: other sections are none of this service's business, mistyped ones are. */
export function ignoringSections(isMistyped: (key: string) => boolean): Ignoring {
  const reason = (key: string) =>
    foreignSections.has(key) || !isMistyped(key) ? sectionReason : undefined
  return Object.assign(reason, { keys: [...foreignSections] })
}
