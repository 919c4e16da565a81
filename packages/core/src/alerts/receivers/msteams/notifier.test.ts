import { describe, expect, it } from 'vitest'
import { deliver, describeDelivery, testPorts } from '../delivery.fixture.ts'
import { msteams } from './notifier.ts'

describeDelivery({
  kind: msteams,
  settings: (url) => ({ webhook_url: `${url}/hook/s3cret?k=1` }),
  secrets: ['s3cret'],
})

describe('the card', () => {
  it.each([
    [false, 'firing', '8C1A1A'],
    [true, 'resolved', '2DC72D'],
  ])('has the color of its status, resolved: %s', async (resolved, status, color) => {
    const { requests } = await deliver({
      kind: msteams,
      settings: (url) => ({
        webhook_url: `${url}/hook`,
        title: 't {{ .Status }}',
        summary: 's <{{ .Status }}>',
        text: '',
      }),
      notification: { resolved },
    })
    expect(requests).toMatchObject([
      { method: 'POST', path: '/hook', headers: { 'content-type': 'application/json' } },
    ])
    expect(requests[0]?.body).toBe(
      '{"@context":"http://schema.org/extensions","type":"MessageCard",' +
        `"title":"t ${status}","summary":"s \\u003c${status}\\u003e","text":"","themeColor":"${color}"}\n`,
    )
  })

  it('has default texts, and a URL that may come from a file', async () => {
    const { requests } = await deliver({
      kind: msteams,
      settings: () => ({ webhook_url_file: '/url' }),
      portsFor: (url) => testPorts({ readFile: async (path) => `${url}${path}\n` }),
    })
    expect(requests[0]?.path).toBe('/url')
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      title: '[FIRING:2] DiskFull (critical)',
      summary: '[FIRING:2] DiskFull (critical)',
      text: expect.stringContaining('# Alerts Firing:\n'),
    })
  })
})
