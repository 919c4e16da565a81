import { readFileSync } from 'node:fs'
import { libraryFunctions, parseHtmlTemplates, renderText } from '@gatehouse/go-template'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import type { Labels } from '../alert/alert.ts'
import { defaultTemplates } from './default-templates.ts'
import { templateData } from './template-data.ts'

interface Expected {
  readonly output?: string
  readonly error?: string
}

interface Case extends Expected {
  readonly type: 'text' | 'html'
  readonly template: string
  /** The result in newer versions. */
  readonly follow?: Expected
}

interface VectorAlert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Labels
  readonly annotations: Labels
  readonly startsAt: string
  readonly endsAt: string
  readonly generatorURL: string
  readonly fingerprint: string
}

interface Vectors {
  readonly data: {
    readonly receiver: string
    readonly status: 'firing' | 'resolved'
    readonly alerts: readonly VectorAlert[]
    readonly groupLabels: Labels
    readonly commonLabels: Labels
    readonly commonAnnotations: Labels
    readonly externalURL: string
  }
  readonly cases: readonly Case[]
}

const url = new URL('../../../vectors/alerts/templates.json', import.meta.url)
const { data, cases }: Vectors = JSON.parse(readFileSync(url, 'utf8'))
const htmlCases = cases.filter(({ type }) => type === 'html')

const root = templateData({
  ...data,
  reason: 'unknown',
  routeLabels: {},
  alerts: data.alerts.map(({ startsAt, endsAt, ...alert }) => ({
    ...alert,
    startsAt: Date.parse(startsAt),
    endsAt: endsAt.startsWith('0001') ? undefined : Date.parse(endsAt),
  })),
})
const set = parseHtmlTemplates([defaultTemplates], {
  functions: libraryFunctions(createManualClock()),
  missingKey: 'zero',
})

/** Vectors that were recorded for both engines, but are only valid for the text engine. */
const corrections: ReadonlyMap<string, Expected> = new Map([
  ['{{ .CommonLabels.Names.Join "+" }}', { output: 'alertname&#43;Az&#43;_z&#43;job' }],
])

describe('templates as HTML', () => {
  it('are as many as were recorded', () => {
    expect(htmlCases.length).toBe(86)
  })

  it.each(htmlCases)('$template', ({ template, follow, ...recorded }) => {
    const { output, error } = corrections.get(template) ?? follow ?? recorded
    if (error === undefined) expect(renderText(set, template, { data: root })).toBe(output)
    else expect(() => renderText(set, template, { data: root })).toThrow(exactly(error))
  })
})

/** Matches an error with exactly this message. A string would match a part of it. */
function exactly(message: string): RegExp {
  return new RegExp(`^${message.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`)
}
