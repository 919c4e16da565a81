import { expect, it, onTestFinished } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { password, printedCode } from './support/auth-client.ts'
import { type AuthFolder, createAuthFolder, development, stop } from './support/auth-folder.ts'

const maya = 'maya@example.com'
const secret = 'a-secret-of-more-than-24-characters'

function folderOf(): AuthFolder {
  const folder = createAuthFolder()
  onTestFinished(() => folder.remove())
  return folder
}

describeWithBrowser('the console of one command, signed in through another command', () => {
  const browser = useBrowser()

  it('lets in who is known there, with the roles of the address', async () => {
    const [idPort, port] = [await freePort(), await freePort()]
    // Cookies do not know ports: the two need hosts of their own.
    const [issuer, origin] = [`http://localhost:${idPort}`, `http://127.0.0.1:${port}`]
    const id = folderOf()
    const client = {
      client_id: 'alerts',
      name: 'Alerts',
      type: 'web',
      client_secret: secret,
      redirect_uris: [`${origin}/sign-in/callback`],
      consent: 'never',
    }
    const oidc = { clients: [client] }
    const idKeys = { port: idPort }
    id.configure(
      { http: { public_origin: issuer } },
      { ...development, pages: { name: 'Harbor Light' }, oidc },
      idKeys,
    )
    const alerts = folderOf()
    const harbor = {
      alias: 'harbor',
      type: 'oidc',
      client_id: 'alerts',
      discovery_document_endpoint: `${issuer}/.well-known/openid-configuration`,
    }
    alerts.configure(
      {
        http: { public_origin: origin, allow_insecure: true }, // the provider has no TLS
        authentication: { identities: ['oauth'] },
        identity: { oauth: { providers: [harbor] } },
      },
      {
        oauth: { harbor: { client_secret: secret } },
        oauth_client: { allow_private_addresses: true },
      },
      {
        port,
        alerts: { config: { route: { receiver: 'ops' }, receivers: [{ name: 'ops' }] } },
        access: { sessions: { [maya]: 'editor' } },
      },
    )
    const idServer = await id.serve()
    const alertsServer = await alerts.serve()
    const page = await browser().newPage({ reducedMotion: 'reduce' })
    page.setDefaultTimeout(60_000)
    onTestFinished(() => page.close())
    await page.goto(origin)
    await page.getByRole('link', { name: 'Sign in' }).first().click()
    await page.waitForURL(`${origin}/login?**`)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('button', { name: /^Continue with/ }).click()

    await page.waitForURL(`${issuer}/login?**`)
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByLabel('Email address').fill(maya)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Code', { exact: true }).fill(await printedCode(idServer, maya))
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()

    await page.waitForURL((url) => url.origin === origin && url.pathname === '/')
    await page.getByText(maya).first().waitFor()
    const me = await page.evaluate(() => fetch('/gatehouse/v1/me').then((answer) => answer.text()))
    expect(me).toContain('silences:write')
    const logs = `${await stop(alertsServer)}${await stop(idServer)}`
    expect(logs).not.toContain(secret)
  })
})
