import { it } from 'vitest'
import { addAuthenticator, describeWithBrowser } from '../../../test-support/browser.ts'
import { useBuiltServer } from './built-server.fixture.ts'
import { password } from './maya.fixture.ts'
import { arriveAt, lookOver, press, signUp, useVisits } from './visit.fixture.ts'

const offer = 'Sign in faster next time'
const config = {
  authentication: {
    identities: ['login_id', 'passkey'],
    primary_authenticators: ['password', 'passkey'],
    secondary_authentication_mode: 'disabled',
  },
}

describeWithBrowser('passkeys in a browser', () => {
  const { visit } = useVisits()
  const server = useBuiltServer(() => ({ config }))

  it('is created at the end of a sign-up, and signs in from then on', async () => {
    const address = 'ada@example.com'
    const page = await visit(server)
    await addAuthenticator(page)
    await signUp(server, page, address, offer)
    await lookOver(page, offer)
    await press(page, 'Make a passkey')
    await arriveAt(page, address)
    await press(page, 'Sign out')
    await arriveAt(page, 'Welcome')

    await page.goto('/login')
    await press(page, 'Use a passkey')
    await arriveAt(page, address)
    await press(page, 'Sign out')
    await arriveAt(page, 'Welcome')

    await page.goto('/login')
    await page.getByLabel('Email address').fill(address)
    await press(page, 'Continue by email')
    await press(page, 'Use a passkey')
    await arriveAt(page, address)
  })

  it('reports that no passkey was used, and offers another way', async () => {
    const address = 'noah@example.com'
    const page = await visit(server)
    await addAuthenticator(page)
    await signUp(server, page, address, offer)
    await press(page, 'Not now')
    await arriveAt(page, address)
    await press(page, 'Sign out')
    await arriveAt(page, 'Welcome')

    await page.goto('/login')
    await press(page, 'Use a passkey')
    await page.getByText('No passkey was used. Try again, or choose another way.').waitFor()
    await page.getByLabel('Email address').fill(address)
    await press(page, 'Continue by email')
    await page.getByLabel('Password').fill(password)
    await press(page, 'Sign in')
    await arriveAt(page, offer)
    await press(page, 'Not now')
    await arriveAt(page, address)
  })
})
