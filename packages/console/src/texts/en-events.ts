/** Words for events of the audit log: of whole names, else of their parts. */
export interface EventWords {
  /** By the name of the event. */
  readonly events: Readonly<Record<string, string>>
  /** By the first two parts of the name, such as `identity.email`. */
  readonly subjects: Readonly<Record<string, string>>
  /** What happened to the subject, by the last part of the name. */
  readonly deeds: Readonly<Record<string, string>>
}

/** Events of the audit log in English. */
export const eventWords: EventWords = {
  events: {
    'user.created': 'User created',
    'user.anonymous.promoted': 'Guest became a user',
    'user.authenticated': 'Signed in',
    'user.reauthenticated': 'Confirmed who they are',
    'user.new_sign_in': 'Signed in on a new device',
    'user.profile.updated': 'Profile changed',
    'user.signed_out': 'Signed out',
    'user.session.terminated': 'Sessions ended',
    'user.deletion_scheduled': 'Deletion scheduled',
    'user.deletion_unscheduled': 'Deletion called off',
    'user.deleted': 'User deleted',
    'user.anonymized': 'User anonymized',
    'password.primary.reset': 'Password reset',
    'password.primary.changed': 'Password changed',
    'password.primary.force_changed': 'Password changed as required',
    'password.secondary.changed': 'Second password changed',
    'authenticator.added': 'Factor added',
    'authenticator.removed': 'Factor removed',
    'recovery_codes.created': 'Recovery codes created',
    'device_tokens.revoked': 'Trusted devices removed',
    'api_key.created': 'API key created',
    'api_key.revoked': 'API key revoked',
    'oidc.app.authorized': 'App let in',
    'oidc.app.revoked': 'Access of an app revoked',
    'oidc.token.reused': 'Token of an app came again',
    'authentication.blocked': 'Sign-in refused',
    'identity.oauth.connected': 'Provider connected',
    'identity.oauth.disconnected': 'Provider disconnected',
  },
  subjects: {
    'identity.email': 'Email address',
    'identity.phone': 'Phone number',
    'identity.username': 'Username',
    'authentication.*.password': 'Password',
    'authentication.*.passkey': 'Passkey',
    'authentication.*.totp': 'Code of the authenticator app',
    'authentication.*.oob_otp_email': 'Code by email',
    'authentication.*.oob_otp_sms': 'Code by phone',
    'authentication.*.recovery_code': 'Recovery code',
    'email.sent': 'Email',
    'email.error': 'Email',
    'email.suppressed': 'Email',
    'sms.sent': 'SMS',
    'sms.error': 'SMS',
    'sms.suppressed': 'SMS',
    'whatsapp.sent': 'WhatsApp message',
    'whatsapp.error': 'WhatsApp message',
    'whatsapp.suppressed': 'WhatsApp message',
  },
  deeds: {
    added: 'added',
    updated: 'changed',
    removed: 'removed',
    verified: 'verified',
    failed: 'refused',
    sent: 'sent',
    error: 'could not be sent',
    suppressed: 'not sent',
  },
}
