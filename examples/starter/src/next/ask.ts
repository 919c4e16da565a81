import type { Services } from '../services.ts'
import { GET as health } from './app/health/route.ts' // with alerts
import { GET as me } from './app/me/route.ts' // with sign-in
import { gatehouse } from './gatehouse.ts'

type Handler = (request: Request, context: object) => Promise<Response>

/** Routes of the app, which come before those of the services. */
const own: Readonly<Record<string, Handler>> = {
  '/health': health, // with alerts
  '/me': me, // with sign-in
}

/** Sends a request to the app, without a server. */
export async function ask(services: Services, path: string, init: RequestInit): Promise<Response> {
  gatehouse.replaceServices(services)
  const answer = own[path] ?? gatehouse.handlers.GET // the same for all methods
  return answer(new Request(`http://localhost:3000${path}`, init), {})
}
