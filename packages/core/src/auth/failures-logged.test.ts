import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchHandler } from '../http/fetch-handler.ts'
import type { AuthOptions } from './auth-options.ts'
import { userRoutes } from './operators/user-routes.ts'
import { startFlow, testAuth } from './service.fixture.ts'

/** The lines that a service with default options writes to standard error. */
function consoleLines(): string[] {
  const lines: string[] = []
  const keep = (line: unknown): void => void lines.push(String(line))
  vi.spyOn(console, 'warn').mockImplementation(keep)
  vi.spyOn(console, 'error').mockImplementation(keep)
  return lines
}

afterEach(() => {
  vi.restoreAllMocks()
})

const maya = 'maya@harborlight.example'

async function signUp(options: Partial<AuthOptions>): Promise<void> {
  const world = testAuth({}, options)
  const flow = await startFlow(world, 'signup')
  const refused = await flow.input({ identification: 'email', login_id: maya })
  if (!refused.ok) return
  await flow.input({ code: world.codeTo(maya) })
  await flow.input({ authentication: 'primary_password', new_password: 'tidal-lantern-42' })
}

describe('a service with the default logger', () => {
  it('logs the cause of a message that could not be sent, without its address and code', async () => {
    const lines = consoleLines()
    let code = ''
    await signUp({
      senders: {
        async sendEmail(message) {
          code = message.code ?? ''
          const cause = new Error(`SMTP 535 refused <${message.target}>`)
          throw new Error(`cannot send ${message.text}`, { cause })
        },
      },
    })
    const line = lines.find((one) => one.includes('SMTP 535')) ?? ''
    expect(line).toMatch(/^\[gatehouse\] error: a flow failed /)
    expect(code).toMatch(/^\d{6}$/)
    expect(lines.join()).not.toContain(code)
    expect(lines.join()).not.toContain(maya)
  })

  it('logs the cause of an invitation that could not be sent', async () => {
    const lines = consoleLines()
    const sendEmail = async (): Promise<void> => {
      throw new Error('SMTP 535 refused')
    }
    const links = { invitation: 'https://app.example/signup?x_invitation={code}' }
    const authorize = (): boolean => true
    const { auth } = testAuth({ links }, { senders: { sendEmail }, authorize })
    const asked = new Request('https://auth.example.com/gatehouse/v1/invitations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: maya }),
    })
    const answer = await fetchHandler(userRoutes(auth))(asked)
    expect([answer.status, await answer.text()]).toEqual([
      500,
      expect.stringContaining('InvitationNotSent'),
    ])
    expect(lines.find((one) => one.includes('SMTP 535'))).toMatch(/^\[gatehouse\] error: /)
    expect(lines.join()).not.toContain(maya)
  })

  it('logs the cause of a hook that throws', async () => {
    const lines = consoleLines()
    const hook = async () => {
      throw new TypeError('payload.user is undefined')
    }
    await expect(signUp({ hook })).rejects.toThrow('a hook failed')
    expect(lines).toContainEqual(
      expect.stringMatching(/error: a hook failed error="payload\.user is undefined" event=/),
    )
  })

  it('warns at its creation of what the configuration offers and nobody sends', () => {
    const lines = consoleLines()
    testAuth({}, { senders: {} })
    expect(lines).toEqual([
      expect.stringMatching(/^\[gatehouse\] warn: no sender for email is configured/),
    ])
  })

  it('is silent with logger: false', () => {
    const lines = consoleLines()
    testAuth({}, { senders: {}, logger: false })
    expect(lines).toEqual([])
  })
})
