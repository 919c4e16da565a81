import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { freePort } from '../../../test-support/free-port.mjs'
import { arriveAt, press, visit } from './sign-in.fixture.ts'

const page = readFileSync(new URL('../../../docs/sign-in.md', import.meta.url), 'utf8')
const [, steps = ''] = /^## Sign-in in five minutes$(.*?)^## /ms.exec(page) ?? []
/** The programs of the page, each with the command that installs what it imports. */
const apps = [...steps.matchAll(/^npm install (.*?)$.*?^`app\.mjs`:\n\n```ts\n(.*?)^```$/gms)].map(
  ([, packages = '', program = '']) => ({ packages: packages.split(' '), program }),
)

/** Lines that somebody has to write: no imports, and none with a bracket alone. */
const linesToWrite = (program: string): string[] =>
  program.split('\n').filter((line) => /\w/.test(line) && !line.startsWith('import '))

const importsOf = (program: string): string[] =>
  [...program.matchAll(/^import .* from '(.*)'$/gm)].map(([, name = '']) => name)

it('"Sign-in in five minutes" has an app for Hono and one for Express, of less than ten lines each', () => {
  expect(apps.map(({ packages }) => packages.at(-1))).toEqual(['@hono/node-server', 'express'])
  for (const { packages, program } of apps) {
    expect(linesToWrite(program).length).toBeLessThan(10)
    expect(importsOf(program).sort()).toEqual([...packages].sort())
  }
})

describeWithBrowser('"Sign-in in five minutes"', () => {
  const browser = useBrowser()

  it.each(apps)('works as it is written, with $packages', async ({ program }) => {
    const port = await freePort()
    // Where packages are found, as after `npm install`.
    const cache = fileURLToPath(new URL('../../../node_modules/.cache/gatehouse/', import.meta.url))
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(`${cache}five-minutes-`)
    writeFileSync(`${folder}/app.mjs`, program.replaceAll('3000', String(port)))
    const app = spawn(process.execPath, ['app.mjs'], { cwd: folder })
    const ended = once(app, 'exit')
    try {
      let printed = ''
      app.stdout.on('data', (text) => {
        printed += text
      })
      let failure = ''
      app.stderr.on('data', (text) => {
        failure += text
      })
      const url = `http://localhost:${port}/`
      await expect
        .poll(
          () =>
            fetch(url).then(
              ({ status }) => status,
              () => failure,
            ),
          { timeout: 30_000 },
        )
        .toBe(401)
      const { page: opened, complaints } = await visit(browser(), url)
      await arriveAt(opened, 'Sign in to My app')
      const button = opened.getByRole('button', { name: 'Continue', exact: true })
      const accent = button.evaluate((element) => getComputedStyle(element).backgroundColor)
      expect(await accent).toBe('rgb(11, 87, 208)')
      await opened.getByRole('link', { name: 'Sign up' }).click()
      await arriveAt(opened, 'Create your account')
      await opened.getByLabel('Email address').fill('maya@example.com')
      await press(opened, 'Continue')
      await arriveAt(opened, 'Check your email')
      await expect.poll(() => printed).toMatch(/\b\d{6}\b/)
      const [code = ''] = printed.match(/\b\d{6}\b/) ?? []
      await opened.getByLabel('Code', { exact: true }).fill(code)
      await opened.getByLabel('New password', { exact: true }).fill('tidal-lantern-42')
      await press(opened, 'Set password')
      await opened.waitForURL(url)
      expect(await opened.locator('body').innerText()).toMatch(/^Hello, \S+/)
      await opened.goto(`${url}account`)
      await arriveAt(opened, 'Your account')
      expect(complaints).toEqual([])
    } finally {
      app.kill()
      await ended
      rmSync(folder, { recursive: true })
    }
  })
})
