/** Where the endpoints are, below `basePath`. */
export const endpointPaths = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  introspection: '/introspect',
  revocation: '/revoke',
  end_session: '/logout',
  pushed_authorization_request: '/par',
  device_authorization: '/device_authorization',
  code_verification: '/device',
  registration: '/register',
} as const

/** Where the library sends browsers that have to sign in or consent, below `basePath`. */
export const interactionPath = '/interaction'
