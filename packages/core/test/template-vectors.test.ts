import { readFileSync } from 'node:fs'
import { createManualClock } from '@gatehouse/core/testing'
import { libraryFunctions, parseTemplates, renderText, type Value } from '@gatehouse/go-template'
import { describe, expect, it } from 'vitest'
import type { Labels } from '../src/alerts/alert/alert.ts'
import { defaultTemplates } from '../src/alerts/notification/default-templates.ts'
import { templateData } from '../src/alerts/notification/template-data.ts'

interface Expected {
  readonly output?: string
  readonly error?: string
}

interface TemplateVector extends Expected {
  readonly type: 'text' | 'html'
  readonly template: string
  /** The result in newer versions, which is the expected one. */
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

interface TemplateVectors {
  readonly data: {
    readonly receiver: string
    readonly status: 'firing' | 'resolved'
    readonly alerts: readonly VectorAlert[]
    readonly groupLabels: Labels
    readonly commonLabels: Labels
    readonly commonAnnotations: Labels
    readonly externalURL: string
  }
  readonly cases: readonly TemplateVector[]
}

const readVectors = (name: string): TemplateVectors =>
  JSON.parse(readFileSync(new URL(`../vectors/alerts/${name}`, import.meta.url), 'utf8'))

const { data, cases } = readVectors('templates.json')
const language = readVectors('templates-language.json').cases

const root = templateData({
  ...data,
  alerts: data.alerts.map(({ startsAt, endsAt, ...alert }) => ({
    ...alert,
    startsAt: Date.parse(startsAt),
    endsAt: endsAt === '0001-01-01T00:00:00Z' ? undefined : Date.parse(endsAt),
  })),
  reason: 'unknown',
  routeLabels: {},
})

const textTemplates = parseTemplates([defaultTemplates], {
  functions: libraryFunctions(createManualClock(0)),
  missingKey: 'zero',
})

/** The output of a template, or its error. */
function outcome(template: string, value: Value): Expected {
  try {
    return { output: renderText(textTemplates, template, { data: value }) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

describe('text templates', () => {
  const texts = cases.filter(({ type }) => type === 'text')

  it.each(texts.map((vector) => [vector.template, vector] as const))('%s', (template, vector) => {
    const { output, error } = vector.follow ?? vector
    expect(outcome(template, root)).toEqual(error === undefined ? { output } : { error })
  })

  it('are all there', () => expect(texts).toHaveLength(86))
})

describe('the template language', () => {
  it.each(language.map((vector) => [vector.template, vector] as const))(
    '%s',
    (template, vector) => {
      const { output, error } = vector
      expect(outcome(template, root)).toEqual(error === undefined ? { output } : { error })
    },
  )

  it('is tested by many vectors', () => expect(language.length).toBeGreaterThan(380))
})
