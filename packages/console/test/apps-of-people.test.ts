import { createUser } from '@gatehouse/core'
import { expect, it } from 'vitest'
import { describeWithBrowser, useBrowser, useServer } from '../../../test-support/browser.ts'
import { isWide } from '../../../test-support/lane.ts'
import { appCollection, idOfApp } from '../../oidc/src/apps/authorized-app.ts'
import { createOidcProvider } from '../../oidc/src/index.ts'
import { expectAccessible } from './open-console.fixture.ts'
import { startPeople } from './open-people.fixture.ts'
import { openPage } from './pages.fixture.ts'

describeWithBrowser('the apps of a user in the console', () => {
  const browser = useBrowser()
  const server = useServer(() => startPeople())

  const languages = [
    ['en', 'Apps with access', 'Your email address', 'Revoke the access of Grafana', 'Revoke'],
    [
      'de',
      'Apps mit Zugriff',
      'Ihre E-Mail-Adresse',
      'Zugriff von Grafana widerrufen',
      'Widerrufen',
    ],
  ] as const

  // Other languages are seen for each change in the tests of the sizes of windows.
  it.each(isWide ? languages : languages.slice(0, 1))(
    'are listed and revoked in the language %s',
    async (locale, title, words, revoke, confirm) => {
      const { auth, url } = server()
      const oidc = createOidcProvider({
        auth,
        clients: [
          {
            clientId: 'grafana',
            name: 'Grafana',
            type: 'web',
            clientSecret: 'a-secret-of-at-least-24-characters',
            redirectUris: ['https://grafana.example/login'],
          },
        ],
      })
      const userId = await createUser(auth, {
        email: 'maya@example.com',
        password: 'quiet-harbour-17',
      })
      const openUser = () =>
        openPage(browser(), `${url}#/people/user/${userId}`, {
          locale,
          extraHTTPHeaders: {
            authorization: `Basic ${Buffer.from('ops:secret').toString('base64')}`,
          },
        })
      const before = await openUser()
      await before.page.getByText('maya@example.com').first().waitFor()
      expect(await before.page.getByRole('region', { name: title }).count()).toBe(0)
      await before.close()

      const at = auth.clock.now()
      const app = { user_id: userId, client_id: 'grafana', name: 'Grafana' }
      const allowed = { scopes: ['openid', 'email'], resources: {} }
      await auth.storage.commit([
        appCollection.write(idOfApp(userId, 'grafana'), {
          ...app,
          ...allowed,
          authorized_at: at,
          last_used_at: at,
        }),
      ])
      const { page, problems } = await openUser()
      const apps = page.getByRole('region', { name: title })
      await apps.getByText(words).waitFor()
      await expectAccessible(page, '#main')
      await page.setViewportSize({ width: 390, height: 844 })
      await expectAccessible(page, '#main')
      await apps.getByRole('button', { name: revoke }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('“Grafana”').or(dialog.getByText('„Grafana“')).waitFor()
      await expectAccessible(page, '[role=dialog]')
      await dialog.getByRole('button', { name: confirm, exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      await apps.getByRole('listitem').waitFor({ state: 'detached' })
      expect(await oidc.listApps(userId)).toEqual([])
      expect(problems).toEqual([])
    },
  )
})
