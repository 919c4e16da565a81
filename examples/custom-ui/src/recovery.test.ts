import { describe, expect, it, vi } from 'vitest'
import { email, password } from './maya.fixture.ts'
import { createWorld, origin, type World } from './world.fixture.ts'

const newPassword = 'copper-meadow-7'

/** The link in a recovery mail, which is sent after the answer. */
async function linkTo({ mails }: World): Promise<string> {
  const sent = await vi.waitFor(() => {
    const found = mails.messages.findLast(({ kind }) => kind === 'forgot_password')
    if (found?.link === undefined) throw new Error('no link was sent')
    return found.link
  })
  return sent
}

describe('a recovery by a link', () => {
  it('can be finished in another browser with the link in the mail', async () => {
    const world = createWorld()
    await world.signUp()
    const browser = world.browse()
    await browser.open('/recover')
    await browser.send({ login_id: email })
    await browser.send({}, 'Send a link by email to ma**@example.com')
    expect(browser.page.title).toBe('Open the link')

    const link = await linkTo(world)
    expect(link).toMatch(new RegExp(`^${origin}/reset\\?code=\\w{32}$`))
    const other = world.browse()
    await other.open(link)
    expect(other.page).toMatchObject({ title: 'Choose a new password' })
    expect(other.page.path).toMatch(/^\/step\//)
    await other.send({ new_password: 'short' })
    expect(other.page.problems).toEqual(['The password is too short: it needs 8 characters.'])
    await other.send({ new_password: newPassword })
    expect(other.page.title).toBe('Your password is changed')

    await other.open('/login')
    await other.send({ login_id: email })
    await other.send({ password })
    expect(other.page.problems).toEqual(['The password is wrong.'])
    await other.send({ password: newPassword })
    expect(other.page.path).toBe('/account')
    expect(await world.browse().open(link)).toMatchObject({
      status: 400,
      title: 'This link has expired',
    })
  })

  it('looks the same for an unknown address', async () => {
    const { browse, signUp } = createWorld()
    await signUp()
    const [somebody, nobody] = [email, 'lena@example.com'].map(async (login_id) => {
      const browser = browse()
      await browser.open('/recover')
      await browser.send({ login_id })
      return [browser.page.title, browser.page.buttons.length]
    })
    expect(await somebody).toEqual(await nobody)
  })

  it.each(['', 'x', '0'.repeat(32), '%00', '<b>'])(
    'reports that the code %j has expired',
    async (code) => {
      const page = await createWorld().browse().open(`/reset?code=${code}`)
      expect(page).toMatchObject({ status: 400, title: 'This link has expired' })
      expect(page.html).toContain('<a href="/recover">')
    },
  )
})

describe('a recovery by a code', () => {
  it('takes the code on the page that requested it', async () => {
    const world = createWorld({
      ui: { forgot_password: { email: [{ channel: 'email', otp_form: 'code' }] } },
    })
    const browser = await world.signUp(world.browse())
    await browser.open('/recover')
    await browser.send({ login_id: email })
    await browser.send({}, 'Send a code by email to ma**@example.com')
    await browser.send({ account_recovery_code: '000000' })
    expect(browser.page.problems).toEqual(['The code is wrong, or it has expired.'])
    const code = await vi.waitFor(() => {
      const found = world.mails.messages.findLast(({ kind }) => kind === 'forgot_password')?.code
      if (found === undefined) throw new Error('no code was sent')
      return found
    })
    await browser.send({ account_recovery_code: code })
    await browser.send({ new_password: newPassword })
    expect(browser.page.title).toBe('Your password is changed')
  })
})
