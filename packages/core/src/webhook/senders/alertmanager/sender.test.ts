import { expect, it } from 'vitest'
import { readWebhook, settingProblems } from '../../config/config.fixture.ts'
import { alertmanager } from './sender.ts'

it('signs nothing, so its deliveries need a token', () => {
  const webhook = readWebhook({ sender: alertmanager.name })
  expect(webhook.auth).toBe('token')
  expect(webhook.token.accepts('a-token-that-is-long')).toBe(true)
  expect(webhook.token.accepts('another')).toBe(false)
  expect(settingProblems({ sender: alertmanager.name, token: undefined })).toEqual([
    'token required',
  ])
  expect(settingProblems({ sender: { name: alertmanager.name, secret: 's' } })).toEqual([
    'sender conflict',
  ])
})
