import { createMemoryStorage } from '@gatehouse/store-memory'
import { onTestFinished } from 'vitest'
import type { Logger } from '../logger.ts'
import type { Storage } from '../storage/storage.ts'
import { createManualClock, type ManualClock } from '../testing/index.ts'
import { closeWebhooks } from './close-webhooks.ts'
import type { WebhookDefinition } from './config/written/webhooks-config.generated.ts'
import type { WebhooksContext } from './context.ts'
import { createWebhooks, type WebhooksOptions } from './create-webhooks.ts'
import {
  createScriptedRunner,
  type ScriptedCommand,
  type ScriptedRunner,
} from './scripted-runner.fixture.ts'

/** A line of the log. */
export interface LogLine {
  readonly level: keyof Logger
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A logger that keeps its lines. */
function createLog(): { readonly logger: Logger; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const put =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      lines.push({ level, message, fields: { ...fields } })
    }
  const logger = { debug: put('debug'), info: put('info'), warn: put('warn'), error: put('error') }
  return { logger, lines }
}

/** A webhook with the token `t`, as in a configuration. */
export const webhookNamed = (id: string, settings: object = {}): WebhookDefinition => ({
  id,
  token: 't',
  execute_command: 'true',
  workdir: '/',
  ...settings,
})

/** The result of {@link createFixture}. */
export interface Fixture {
  readonly webhooks: WebhooksContext
  readonly clock: ManualClock
  readonly storage: Storage
  readonly runner: ScriptedRunner
  readonly lines: readonly LogLine[]
}

/** Options of {@link createFixture}. */
export interface FixtureOptions extends Partial<WebhooksOptions> {
  /** Controls each command (default: the test does). */
  script?: (command: ScriptedCommand) => void
  clock?: ManualClock
}

/** The service with one webhook, `job`, over a memory store with a manual clock. Its commands are not processes. */
export function createFixture(options: FixtureOptions = {}): Fixture {
  const { script, clock = createManualClock(), ...given } = options
  const storage = given.storage ?? createMemoryStorage({ clock })
  const runner = createScriptedRunner(script)
  const { logger, lines } = createLog()
  const config = { webhooks: [webhookNamed('job')] }
  const webhooks = createWebhooks({ storage, clock, config, runner, logger, ...given })
  onTestFinished(() => closeWebhooks(webhooks, { graceMs: 0, killGraceMs: 0 }))
  return { webhooks, clock, storage, runner, lines }
}

/** Waits for work that takes real time, such as looking for a program. */
export async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Runs everything that needs neither time nor the disk. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Ends a command at once. */
export const endAtOnce = (command: ScriptedCommand): void => command.end()
