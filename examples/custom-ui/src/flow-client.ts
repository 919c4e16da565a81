import type { Context } from 'hono'
import type { ApiError, FlowState } from './protocol.ts'

/** An answer of the service. */
export type FlowAnswer =
  | { readonly ok: true; readonly state: FlowState }
  | { readonly ok: false; readonly error: ApiError; readonly retryAfterSeconds?: number }

/** An input for an action. */
export type FlowInput = { readonly [name: string]: unknown }

/** The three endpoints, called on behalf of a browser: forwards its cookies to the service, and the service's cookies to it. */
export interface FlowClient {
  /** Creates a flow. `query` is the query of the page's address: an authorization server may have sent the browser there. */
  create(c: Context, type: string, query: string): Promise<FlowAnswer>
  /** Without a token, for the code of a recovery link, which is valid in any browser. */
  advance(c: Context, token: string | undefined, input: FlowInput): Promise<FlowAnswer>
  read(c: Context, token: string): Promise<FlowAnswer>
}

/** Sends a request to the service: to routes in this process, or to a remote service with `fetch`. */
export type SendToService = (
  path: string,
  init: { method: string; headers: Headers; body: string },
  c: Context,
) => Response | Promise<Response>

const path = '/api/v1/authentication_flows'

/** The headers of the browser to forward. A service uses the last two only if it trusts this proxy. */
const passedOn = ['cookie', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto']

export function createFlowClient(send: SendToService): FlowClient {
  const post = async (c: Context, target: string, body: object): Promise<FlowAnswer> => {
    const headers = new Headers({ 'content-type': 'application/json' })
    for (const name of passedOn) {
      const value = c.req.header(name)
      if (value !== undefined) headers.set(name, value)
    }
    const response = await send(target, { method: 'POST', headers, body: JSON.stringify(body) }, c)
    for (const cookie of response.headers.getSetCookie()) {
      c.header('set-cookie', cookie, { append: true })
    }
    return readAnswer(response)
  }
  return {
    create: (c, type, query) => post(c, `${path}${query}`, { type, name: 'default' }),
    advance: (c, state_token, input) => post(c, `${path}/states/input`, { state_token, input }),
    read: (c, state_token) => post(c, `${path}/states`, { state_token }),
  }
}

async function readAnswer(response: Response): Promise<FlowAnswer> {
  const body = (await response.json()) as { result?: FlowState; error?: ApiError }
  if (body.error !== undefined) {
    const seconds = Number(response.headers.get('retry-after'))
    return { ok: false, error: body.error, ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}) }
  }
  if (body.result === undefined) throw new Error('the service did not answer with a flow state')
  return { ok: true, state: body.result }
}
