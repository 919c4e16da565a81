import {
  type Functions,
  libraryFunctions,
  parseHtmlTemplates,
  parseTemplates,
  renderText,
  stringParameter,
  type TemplateSet,
  templateFunction,
  type Value,
} from '@gatehouse/go-template'
import type { Clock } from '../../time/clock.ts'
import type { Labels } from '../alert/alert.ts'
import { defaultTemplates } from './default-templates.ts'
import type { Notification, NotificationRenderer } from './notification.ts'
import { type TemplateFacts, templateData, writtenTemplateData } from './template-data.ts'

/** A template file. */
export interface TemplateFile {
  /** Its name, for messages. */
  readonly name: string
  readonly text: string
}

/** The templates of one configuration: the default ones, and those of its files. */
export interface NotificationTemplates {
  /** Creates the renderer of a notification. */
  renderer(notification: Notification): NotificationRenderer
  /** Creates the renderer of given facts. */
  rendererOf(facts: TemplateFacts): NotificationRenderer
  /**
   * The rendered labels of a route. Each is a template that may use the others.
   *
   * @param failed is called for a label that cannot be rendered; it is left out.
   */
  routeLabels(
    labels: ReadonlyMap<string, string>,
    facts: TemplateFacts,
    failed: (name: string, error: unknown) => void,
  ): Record<string, string>
}

/**
 * Parses templates in their order: a later definition of a name replaces an earlier one.
 *
 * @param files the files of the configuration's `templates`, with their content.
 * @throws {GatehouseError} `TemplateSyntax`
 * @see Alertmanager documentation, "Notification template reference"
 */
export function createNotificationTemplates(
  files: readonly TemplateFile[],
  clock: Clock,
): NotificationTemplates {
  const sources = [defaultTemplates, ...files]
  // Files may call functions that exist only during rendering; the parser needs to know them.
  const functions = new Map([...libraryFunctions(clock), ...namedLabels(() => '')])
  const options = { functions, missingKey: 'zero' } as const
  const text = once(() => parseTemplates(sources, options))
  const html = once(() => parseHtmlTemplates(sources, options))
  // The default templates are good; parsing them would delay the start.
  if (files.length > 0) {
    text()
    html()
  }

  const rendererWith = (data: Value, routeLabels: Labels): NotificationRenderer => {
    const functions = namedLabels((name) => ownLabel(routeLabels, name))
    const render = (set: () => TemplateSet) => (template: string) =>
      renderText(set(), template, { data, functions })
    return { text: render(text), html: render(html) }
  }

  return {
    renderer: (notification) => rendererWith(templateData(notification), notification.routeLabels),

    rendererOf: (facts) => rendererWith(writtenTemplateData(facts), facts.routeLabels),

    routeLabels(labels, facts, failed) {
      const data = templateData({ ...facts, reason: 'unknown', routeLabels: {} })
      const rendered = new Map<string, string>()
      const underWay = new Set<string>()
      const render = (name: string): string => {
        const known = rendered.get(name)
        if (known !== undefined) return known
        const template = labels.get(name)
        if (template === undefined) return ''
        if (underWay.has(name)) throw new Error(`the route label ${name} refers to itself`)
        underWay.add(name)
        const value = renderText(text(), template, { data, functions: namedLabels(render) })
        underWay.delete(name)
        rendered.set(name, value)
        return value
      }
      for (const name of labels.keys()) {
        underWay.clear()
        try {
          render(name)
        } catch (error) {
          failed(name, error)
        }
      }
      return Object.fromEntries(rendered)
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The function `routeLabels`, which returns a label of the route by its name. */
const namedLabels = (labelOf: (name: string) => string): Functions =>
  new Map([['routeLabels', templateFunction([stringParameter], ([name]) => labelOf(name))]])

const ownLabel = (labels: Labels, name: string): string =>
  Object.hasOwn(labels, name) ? (labels[name] ?? '') : ''
