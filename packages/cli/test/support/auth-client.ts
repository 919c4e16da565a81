import type { Serving } from '../../src/main.fixture.ts'

/** The state of a flow. */
export interface FlowState {
  readonly state_token: string
  readonly action: {
    readonly type: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

/** A response of the authentication flow service. */
export interface FlowAnswer {
  readonly status: number
  readonly result: FlowState | undefined
  readonly reason: string | undefined
  /** The cookies that were set, by name. */
  readonly cookies: ReadonlyMap<string, string>
}

/** The password of every user in these tests. */
export const password = 'tidal-lantern-42'

const flows = '/api/v1/authentication_flows'

/** Posts to a path below the flows' path. */
export async function postFlow(
  url: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<FlowAnswer> {
  const response = await fetch(`${url}${flows}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const answer: { result?: FlowState; error?: { reason: string } } = JSON.parse(
    await response.text(),
  )
  const cookies = response.headers.getSetCookie().map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    return [name, value]
  })
  const { result, error } = answer
  return { status: response.status, result, reason: error?.reason, cookies: new Map(cookies) }
}

/** Starts a flow with an input. */
export function start(url: string, type: string, input: object): Promise<FlowAnswer> {
  return postFlow(url, '', { type, name: 'default', input })
}

/** Posts an input to the state of a response. */
export function feed(url: string, answer: FlowAnswer, input: object): Promise<FlowAnswer> {
  return postFlow(url, '/states/input', { state_token: answer.result?.state_token, input })
}

/** Signs in by mail address and password. */
export function signIn(url: string, address: string): Promise<FlowAnswer> {
  const authentication = 'primary_password'
  return start(url, 'login', {
    identification: 'email',
    login_id: address,
    authentication,
    password,
  })
}

/** The code that a server in development mode printed for an address. */
export async function printedCode(server: Serving, address: string): Promise<string> {
  const line = await server.logged(new RegExp(`msg=message .* to=${address} code=`))
  return /code=(\d+)/.exec(line)?.[1] ?? ''
}

/** Signs up by mail address and password, with the code that the server prints. */
export async function signUp(server: Serving, address: string): Promise<FlowAnswer> {
  const { url } = server
  const asked = await start(url, 'signup', { identification: 'email', login_id: address })
  const code = await printedCode(server, address)
  const authentication = 'primary_password'
  return feed(url, asked, { code, authentication, new_password: password })
}
