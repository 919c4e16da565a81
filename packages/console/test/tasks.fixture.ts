import { listAlerts, listSilences } from '@gatehouse/core'
import { listRecurringSilences } from '@gatehouse/core/alerts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { BusyServer } from './open-everything.fixture.ts'
import { operator } from './open-people.fixture.ts'

/** What a person does to a page, counted. An entry of a text, or a choice from a list, counts as one, with the click that goes to its field. */
export class Hand {
  readonly page: Page
  actions = 0
  keys = 0

  constructor(page: Page) {
    this.page = page
  }

  async click(what: Locator): Promise<void> {
    await what.click()
    this.actions += 1
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
    this.actions += 1
    this.keys += 1
  }

  /** Where a field has a text already, it is replaced. */
  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor()
    const hasFocus = await field.evaluate((element) => element === document.activeElement)
    if (!hasFocus) await field.selectText()
    await field.pressSequentially(text)
    this.actions += 1
    this.keys += text.length
  }

  async choose(field: Locator, option: string): Promise<void> {
    await field.click()
    await this.page.getByRole('option', { name: option, exact: true }).click()
    this.actions += 1
  }
}

/** A task from the page of alerts, as the table of the documentation names it. Its work ends when what was wanted is seen. */
export interface Task {
  readonly name: string
  /** The filter that it begins with (default: all alerts). */
  readonly filter?: string
  work(hand: Hand, server: BusyServer): Promise<void>
}

const overview = (page: Page): Locator => page.getByRole('region', { name: 'Overview' })
const goTo = (page: Page, name: string): Locator =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })
const silencesBy = async ({ alerts }: BusyServer): Promise<readonly string[]> =>
  (await listSilences(alerts, { expired: false })).map(({ comment }) => comment)

export const tasks: readonly Task[] = [
  {
    name: 'sign in and come back to the page',
    async work(hand) {
      const { page } = hand
      await hand.click(page.getByRole('link', { name: 'Sign in' }))
      await hand.type(page.getByLabel('Email address'), operator.email)
      await hand.press('Enter')
      await hand.type(page.getByLabel('Password', { exact: true }), operator.password)
      await hand.press('Enter')
      await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
      await overview(page).waitFor()
    },
  },
  {
    name: 'see what is on fire: how many and how severe',
    async work({ page }, { alerts }) {
      const critical = await listAlerts(alerts, { filter: ['severity="critical"'] })
      await overview(page)
        .getByRole('button', { name: `critical ${critical.length.toLocaleString('en')}` })
        .waitFor()
    },
  },
  {
    name: 'see which labels the alerts have, and how many have each',
    async work(hand) {
      const part = overview(hand.page)
      await hand.click(part.getByRole('button', { name: 'Top labels' }))
      await part.getByRole('button', { name: /^checkout [\d,]+ \d+%$/ }).waitFor()
    },
  },
  {
    name: 'see what began in the last 15 minutes',
    async work(hand) {
      await hand.click(overview(hand.page).getByRole('button', { name: /new in 15 minutes$/ }))
      await expect.poll(() => hand.page.url()).toContain('hide=')
    },
  },
  {
    name: 'silence an alert: button, comment, `Enter`',
    async work(hand, server) {
      const { page } = hand
      await hand.click(page.getByRole('button', { name: /^Silence Symptom/ }).first())
      await hand.type(page.getByLabel('Comment'), 'new disks')
      await hand.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Silenced 1 alert until' }).waitFor()
      expect(await silencesBy(server)).toContain('new disks')
    },
  },
  {
    name: 'silence the second alert by keys: `j` `j` `s`, comment, `Enter`',
    async work(hand, server) {
      const { page } = hand
      for (const key of ['j', 'j', 's']) await hand.press(key)
      await hand.type(page.getByLabel('Comment'), 'second')
      await hand.press('Enter')
      await page.getByRole('status').filter({ hasText: 'Silenced 1 alert until' }).waitFor()
      expect(await silencesBy(server)).toContain('second')
    },
  },
  {
    name: 'acknowledge a group: button, `Enter`',
    async work(hand, { alerts }) {
      const { page } = hand
      await hand.click(page.getByRole('button', { name: 'Acknowledge the group' }).first())
      await page.getByRole('dialog').getByLabel('Comment').waitFor()
      await hand.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      const taken = (await listAlerts(alerts)).filter((one) => one.acknowledgement !== undefined)
      expect(taken.length).toBeGreaterThan(0)
    },
  },
  {
    name: 'find out why an alert is not sent',
    filter: 'severity="warning",cluster="c3",team="checkout"',
    async work(hand) {
      const { page } = hand
      await hand.click(page.getByRole('button', { name: 'Inhibited', exact: true }).first())
      await page.getByText('ClusterDown').first().waitFor()
    },
  },
  {
    name: 'a silence that recurs, with its next times: button, Recurring, from, to, comment, `Enter`',
    async work(hand, { alerts }) {
      const { page } = hand
      await hand.click(page.getByRole('button', { name: 'Silence the group' }).first())
      await hand.click(page.getByText('Recurring', { exact: true }))
      await hand.type(page.getByLabel('From'), '02:00')
      await hand.type(page.getByLabel('To', { exact: true }), '04:00')
      await page.getByText('next:').waitFor()
      await hand.type(page.getByLabel('Comment'), 'the backup')
      await hand.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await listRecurringSilences(alerts)).toMatchObject([{ comment: 'the backup' }])
    },
  },
  {
    name: 'see what a change of the routing tree would do: page, draft, edit',
    async work(hand) {
      const { page } = hand
      await hand.click(goTo(page, 'Routing'))
      await hand.click(page.getByText('Try a draft', { exact: true }))
      const draft = page.getByLabel('A draft of alertmanager.yml')
      const [found] = /receiver: on-call/.exec(await draft.inputValue()) ?? ['']
      const at = (await draft.inputValue()).indexOf(found)
      await draft.evaluate(
        (area: HTMLTextAreaElement, [from, to]: number[]) => {
          area.focus()
          area.setSelectionRange(from ?? 0, to ?? 0)
        },
        [at, at + found.length],
      )
      await hand.type(draft, 'receiver: everybody')
      await page.getByText(/alerts would be routed differently/).waitFor()
    },
  },
  {
    name: 'test a receiver: page, form, receiver, send',
    async work(hand) {
      const { page } = hand
      await hand.click(goTo(page, 'Notifications'))
      await hand.click(page.getByRole('button', { name: 'Test a receiver' }))
      const dialog = page.getByRole('dialog')
      await hand.choose(dialog.getByRole('combobox', { name: 'Receiver' }), 'on-call')
      await hand.click(dialog.getByRole('button', { name: 'Send test' }))
      await dialog.getByRole('status').getByText('webhook/0').waitFor()
    },
  },
  {
    name: 'run a webhook and watch its output: page, webhook, value, `Enter`',
    async work(hand) {
      const { page } = hand
      await hand.click(goTo(page, 'Webhooks'))
      await hand.click(page.getByRole('link', { name: 'Run deploy' }))
      await hand.type(page.getByRole('dialog').getByLabel('data.image'), 'shop:42')
      await hand.press('Enter')
      await page.getByText('deployed shop:42').waitFor()
    },
  },
  {
    name: 'end the sessions of a person: page, search, person, end, confirm',
    async work(hand) {
      const { page } = hand
      await hand.click(goTo(page, 'People'))
      await hand.type(page.getByLabel('Find people'), 'person-7@example.com')
      await hand.click(page.getByRole('link', { name: 'Person 7', exact: true }))
      await hand.click(page.getByRole('button', { name: 'End all sessions' }))
      await page
        .getByRole('dialog')
        .getByText(/sessions/)
        .first()
        .waitFor()
      await hand.press('Enter')
      await page.getByText('No active sessions').waitFor()
    },
  },
]
