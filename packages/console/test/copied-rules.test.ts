import type { Alert } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import { amtoolCommand, textOfAlert } from '../src/alerts/copied-texts.ts'
import { readKeptFilters, toggleSaved, withRecent } from '../src/alerts/kept-filters.ts'

const url = 'http://127.0.0.1:9093'

describe('the texts of an alert to copy', () => {
  it('are a command whose words a shell takes as they are', () => {
    expect(amtoolCommand({ alertname: 'Down', note: "it's $(id) `id` !x" }, url)).toBe(
      `amtool silence add --alertmanager.url=${url} --duration=2h '--comment=from the console' -- 'alertname="Down"' 'note="it'\\''s $(id) \`id\` !x"'`,
    )
  })

  it('have no control character and no mark of direction in a command', () => {
    const command = amtoolCommand({ a: "\u001b[2J\t\u0003\u202e\\'!" }, url) ?? ''
    expect(
      command.endsWith(String.raw` -- $'a="\033[2J\011\003\342\200\256\134\134\047\041"'`),
    ).toBe(true)
    expect(command).toMatch(/^[\u0020-\u007e]+$/)
    expect(amtoolCommand({ a: 'b\0c' }, url)).toBeUndefined()
  })

  it('are its name, time, annotations and labels in lines', () => {
    const alert = {
      labels: { alertname: 'Down', team: 'db' },
      annotations: { summary: 'db is down' },
      startsAt: '2026-01-01T00:00:00Z',
    } as Partial<Alert> as Alert
    expect(textOfAlert(alert)).toBe(
      'Down (2026-01-01T00:00:00Z)\n\nsummary: db is down\n\nalertname: Down\nteam: db',
    )
  })
})

describe('kept filters', () => {
  const none = readKeptFilters(null)

  it('are the last ten, each once, the newest first', () => {
    let kept = none
    for (let n = 0; n < 12; n++) kept = withRecent(kept, `a="${n}"`)
    kept = withRecent(kept, 'a="5"')
    expect(kept.recent).toHaveLength(10)
    expect(kept.recent.slice(0, 3)).toEqual(['a="5"', 'a="11"', 'a="10"'])
    expect(withRecent(kept, ' ')).toBe(kept)
    expect(withRecent(kept, 'x'.repeat(2_001))).toBe(kept)
  })

  it('are saved until they are removed', () => {
    const kept = toggleSaved(toggleSaved(none, 'a="b"'), 'c="d"')
    expect(kept.saved).toEqual(['c="d"', 'a="b"'])
    expect(toggleSaved(kept, 'a="b"').saved).toEqual(['c="d"'])
    expect(readKeptFilters(JSON.stringify(kept))).toEqual(kept)
  })

  it.each(['', '[', 'null', '7', '{"saved":1,"recent":{}}', '{"recent":[1,null,""]}'])(
    'are none where the browser has %j',
    (text) => {
      expect(readKeptFilters(text)).toEqual(none)
    },
  )
})
