import { describe, expect, it } from 'vitest'
import { struct } from '../make-value.ts'
import { parseTemplates, renderText } from '../template-set.ts'
import { goTime } from './time.ts'
import { timeFunctions } from './time-functions.ts'
import { timeValue } from './time-value.ts'

const at = Date.UTC(2026, 0, 2, 3, 4, 5)
const set = parseTemplates([], { functions: timeFunctions({ now: () => at + 90_000 }) })
const data = struct(
  { name: 'Data' },
  { Start: timeValue(goTime(at, 6_000)), End: timeValue(goTime(at + 3_600_500)) },
)
const render = (template: string): string => renderText(set, template, { data })

describe('times in templates', () => {
  it.each([
    ['{{.Start}}', '2026-01-02 03:04:05.000006 +0000 UTC'],
    ['{{.End.Sub .Start}}', '1h0m0.499994s'],
    [
      '{{printf "%d %v %T" (.End.Sub .Start) .Start.Month .Start.Weekday}}',
      '3600499994000 January time.Weekday',
    ],
    ['{{if gt (.End.Sub .Start).Hours 1.0}}long{{end}}', 'long'],
    ['{{eq .Start.Month 1}} {{eq .Start .Start}} {{eq .Start .End}}', 'true true false'],
    ['{{.Start.Add 3600000000000}}', '2026-01-02 04:04:05.000006 +0000 UTC'],
    [
      '{{.Start.Format "Jan 2, 15:04"}} {{.Start.Unix}} {{.Start.Year}}',
      'Jan 2, 03:04 1767323045 2026',
    ],
    ['{{.Start | tz "Europe/Berlin" | date "15:04 MST"}}', '04:04 CET'],
    ['{{since .End}} {{humanizeDuration (.End.Sub .Start)}}', '-58m30.5s 1h 0m 0s'],
    ['{{(toDate "2006-01-02" "2026-03-04").Weekday}}', 'Wednesday'],
    ['{{with .Start}}{{if .Before now}}past{{end}}{{end}}', 'past'],
  ])('%s', (template, output) => {
    expect(render(template)).toBe(output)
  })

  it.each([
    ['{{.Start.Format 5}}', 'at <5>: expected string; found 5'],
    ['{{.Start.Add 1.5}}', 'at <1.5>: expected integer; found 1.5'],
    ['{{.Start.Nope}}', "at <.Start.Nope>: can't evaluate field Nope in type time.Time"],
    ['{{tz "Nowhere" .Start}}', 'error calling tz: unknown time zone Nowhere'],
    ['{{.Start.AddDate 1000000000 0 0}}', 'error calling AddDate: time: out of range'],
  ])('%s fails', (template, message) => {
    expect(() => render(template)).toThrow(message)
  })
})

describe('a layout from the data', () => {
  it('is refused if the text would be too long', () => {
    const small = parseTemplates([], {
      functions: timeFunctions({ now: () => at }),
      limits: { maxOutput: 100 },
    })
    const template = `{{now.Format "${'2'.repeat(40)}"}}`
    expect(() => renderText(small, template, { data })).toThrow('exceeded maximum text length')
  })
})
