import type { Route } from '@gatehouse/core'
import {
  type AuthConfig,
  type AuthContext,
  closeAuth,
  createAuth,
  startAuth,
  updateAuthConfig,
} from '@gatehouse/core/auth'
import { createPasswordStrength } from '@gatehouse/core/password-strength'
import type { PhoneNumbers } from '@gatehouse/core/phone'
import { developmentOrigin } from '../development.ts'
import type { ListenPlace } from '../listen-address.ts'
import type { LoadedAuth } from '../load-auth.ts'
import { createSenders, type OpenSenders } from '../senders/create-senders.ts'
import type { PreparedService, Service } from '../service.ts'

/** Options of {@link prepareAuth}. */
export interface PrepareAuthOptions {
  readonly loaded: LoadedAuth
  /** Reads the section again. */
  readonly reload: () => Promise<LoadedAuth>
  /** Where it will be listened. */
  readonly places: readonly ListenPlace[]
  readonly isSecure: boolean
  /** What is known of phone numbers; without it their shape. */
  readonly phoneNumbers: PhoneNumbers | undefined
}

/** The authentication flow service of a server that is about to start. */
export function prepareAuth(given: PrepareAuthOptions): PreparedService {
  const { loaded, places, isSecure, phoneNumbers } = given
  const { settings } = loaded
  return {
    create(ports) {
      const senders = createSenders(settings, ports.logger)
      const { maxBodyBytes, secrets, lists } = settings
      const auth = createAuth({
        ...ports,
        config: loaded.configAt(developmentOrigin(places, isSecure)),
        secrets,
        lists,
        senders: senders.senders,
        passwordStrength: createPasswordStrength(),
        ...(phoneNumbers === undefined ? {} : { phoneNumbers }),
        ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
      })
      return serviceOf(auth, senders, given)
    },
  }
}

/** Where nobody else says that the server is there. */
const healthRoutes: readonly Route[] = ['GET', 'HEAD'].map((method) => ({
  method,
  path: '/healthz',
  async handle() {
    return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })
  },
}))

function serviceOf(
  auth: AuthContext,
  senders: OpenSenders,
  { loaded, reload, places, isSecure }: PrepareAuthOptions,
): Service {
  const { http, oauth }: AuthConfig = auth.config.current
  let origin = developmentOrigin(places, isSecure)
  return {
    name: 'auth',
    routes: auth.routes,
    fallbackRoutes: healthRoutes,
    summary: {
      path: `${http.base_path}/api/v1/authentication_flows`,
      clients: oauth.clients.length,
    },
    start(listening) {
      const bound = developmentOrigin(listening, isSecure)
      // The machine has chosen the port.
      if (loaded.takesOrigin && bound !== origin) updateAuthConfig(auth, loaded.configAt(bound))
      origin = bound
      const running = startAuth(auth)
      return {
        async stop() {
          await running.stop()
          senders.close()
        },
      }
    },
    async drain() {
      closeAuth(auth)
    },
    async reload() {
      const next = await reload()
      updateAuthConfig(auth, next.configAt(origin))
    },
  }
}
