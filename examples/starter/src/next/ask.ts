import type { Services } from '../services.ts'
import { GET as health } from './app/health/route.ts' // with alerts
import { POST as logout } from './app/logout/route.ts' // with sign-in
import { GET as me } from './app/me/route.ts' // with sign-in
import { answer, keepServices } from './gatehouse.ts'

/** Routes of the app, which come before those of the services. */
const own: Readonly<Record<string, (request: Request) => Promise<Response>>> = {
  '/health': health, // with alerts
  '/logout': logout, // with sign-in
  '/me': me, // with sign-in
}

/** Sends a request to the app, without a server. */
export async function ask(services: Services, path: string, init: RequestInit): Promise<Response> {
  keepServices(services)
  return (own[path] ?? answer)(new Request(`http://localhost:3000${path}`, init))
}
