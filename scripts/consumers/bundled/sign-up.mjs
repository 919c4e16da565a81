/**
 * Signs up with a username and a password, and asks who is signed in.
 *
 * @param {(path: string, init?: RequestInit) => Promise<Response>} ask sends a request to the app
 * @returns {Promise<Record<string, string>>} which optional packages the app finds.
 */
export async function signUpAndLook(ask) {
  await expectStatus(await ask('/me'), 401)
  await expectStatus(await ask('/api/v2/alerts'), 200)
  const flow = await post(ask, '/api/v1/authentication_flows', {
    type: 'signup',
    name: 'default',
    batch_input: [{ identification: 'username', login_id: 'maya' }],
  })
  const { result } = await flow.json()
  const made = await post(ask, '/api/v1/authentication_flows/states/input', {
    state_token: result.state_token,
    batch_input: [{ authentication: 'primary_password', new_password: 'tidal-lantern-42' }],
  })
  await expectStatus(made, 200)
  const pairs = made.headers.getSetCookie().map((one) => one.split(';')[0])
  await expectStatus(await ask('/me', { headers: { cookie: pairs.join('; ') } }), 200)
  return (await ask('/optional')).json()
}

async function post(ask, path, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  await expectStatus(response, 200)
  return response
}

async function expectStatus(response, status) {
  if (response.status === status) return
  throw new Error(`${response.url}: ${response.status}, not ${status}: ${await response.text()}`)
}
