import { describe, expect, it } from 'vitest'
import { deliver, describeDelivery, testPorts } from '../delivery.fixture.ts'
import { msteamsv2 } from './notifier.ts'

describeDelivery({
  kind: msteamsv2,
  settings: (url) => ({ webhook_url: `${url}/hook/s3cret?k=1` }),
  accepted: { status: 202 },
  secrets: ['s3cret'],
})

describe('the card', () => {
  it.each([
    [false, 'firing', 'Attention'],
    [true, 'resolved', 'Good'],
  ])('has the color of its status, resolved: %s', async (resolved, status, color) => {
    const { requests } = await deliver({
      kind: msteamsv2,
      settings: (url) => ({
        webhook_url: `${url}/hook`,
        title: 't {{ .Status }}',
        text: 'x & {{ .Status }}',
      }),
      notification: { resolved },
    })
    expect(requests).toMatchObject([
      { method: 'POST', path: '/hook', headers: { 'content-type': 'application/json' } },
    ])
    expect(requests[0]?.body).toBe(
      '{"type":"message","attachments":[{' +
        '"contentType":"application/vnd.microsoft.card.adaptive","contentUrl":null,"content":{' +
        '"$schema":"http://adaptivecards.io/schemas/adaptive-card.json","type":"AdaptiveCard",' +
        `"version":"1.2","body":[{"type":"TextBlock","text":"t ${status}","weight":"Bolder",` +
        `"size":"Medium","wrap":true,"style":"heading","color":"${color}"},` +
        `{"type":"TextBlock","text":"x \\u0026 ${status}","wrap":true}],` +
        '"msteams":{"width":"full"}}}]}\n',
    )
  })

  it('has default texts, and a URL that may come from a file', async () => {
    const { requests } = await deliver({
      kind: msteamsv2,
      settings: () => ({ webhook_url_file: '/url' }),
      portsFor: (url) => testPorts({ readFile: async (path) => `${url}${path}\n` }),
    })
    expect(requests[0]?.path).toBe('/url')
    expect(requests[0]?.body).toContain('"text":"[FIRING:2] DiskFull (critical)"')
    expect(requests[0]?.body).toContain('# Alerts Firing:\\n')
  })
})
