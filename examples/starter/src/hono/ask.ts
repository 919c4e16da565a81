import type { Services } from '../services.ts'
import { createApp } from './app.ts'

/** Sends a request to the app, without a server. */
export async function ask(services: Services, path: string, init: RequestInit): Promise<Response> {
  return createApp(services).request(path, init)
}
