import { expect, it } from 'vitest'
import { readWebhook, settingProblems } from '../../config/config.fixture.ts'
import { dockerHub } from './sender.ts'

it('signs nothing, so its deliveries need a token', () => {
  const webhook = readWebhook({ sender: dockerHub.name })
  expect(webhook.auth).toBe('token')
  expect(webhook.token.accepts('a-token-that-is-long')).toBe(true)
  expect(webhook.token.accepts('another')).toBe(false)
  expect(settingProblems({ sender: dockerHub.name, token: undefined })).toEqual(['token required'])
  expect(settingProblems({ sender: { name: dockerHub.name, secret: 's' } })).toEqual([
    'sender conflict',
  ])
})
