import { expect, it } from 'vitest'
import type { OutgoingRequest } from '../../http-client/send-request.ts'
import type { Logger } from '../../logger.ts'
import { createFixture } from '../service.fixture.ts'
import { prepareNotifications } from './prepare-notifications.ts'
import { everyType, readFile } from './render-notification.fixture.ts'

it('prepares receivers of every type, and sends and logs nothing', async () => {
  const sent: OutgoingRequest[] = []
  const lines: string[] = []
  const log = (_fields: object, line: string) => lines.push(line)
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const config = JSON.parse(everyType('127.0.0.1:9'))
  config.receivers.push({
    name: 'broken',
    webhook_configs: [{ url: 'http://127.0.0.1:9/{{ template "none" . }}' }],
  })
  const { alerts } = createFixture({
    config: JSON.stringify(config),
    readFile,
    logger,
    send: async (request) => {
      sent.push(request)
      throw new Error('nothing may be sent')
    },
  })
  lines.length = 0
  await prepareNotifications(alerts)
  expect(sent).toEqual([])
  expect(lines).toEqual([])
})
