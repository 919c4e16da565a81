import type { AccessAction } from '@gatehouse/client'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadFiles } from '../data/load-files.ts'
import type { ServiceName } from '../data/services.ts'
import type { Texts } from '../texts/texts.ts'

/** A page of the console, loaded when it is opened. */
export interface ConsolePage {
  /** The first segment of its address. */
  readonly path: string
  readonly title: (texts: Texts) => string
  /** The addresses below it, where `*` is any segment (default: none). */
  readonly places?: readonly string[]
  /** The page is there if this service is; without it, always. */
  readonly service?: ServiceName
  /** The bar names it only for those who may do this. */
  readonly action?: AccessAction
  /** Whether the bar does not name it (default false). */
  readonly isHidden?: true
  /** Whether it has a use for the whole width of a large screen (default false). */
  readonly isWide?: true
  readonly Content: LazyExoticComponent<ComponentType>
  /** Loads its files ahead. */
  readonly prepare: () => void
}

type Load = () => Promise<{ default: ComponentType }>

const loaded = (load: Load): Pick<ConsolePage, 'Content' | 'prepare'> => ({
  Content: lazy(() => loadFiles(load)),
  // A file that cannot be loaded now is loaded when its page is opened.
  prepare: () => void load().catch(() => {}),
})

export const pages: readonly ConsolePage[] = [
  {
    path: 'alerts',
    title: (texts) => texts.pages.alerts,
    service: 'alerts',
    isWide: true,
    ...loaded(() => import('./alerts/alerts-page.tsx')),
  },
  {
    path: 'silences',
    title: (texts) => texts.pages.silences,
    // The second is an address of Alertmanager's own page.
    places: ['*', '*/edit', 'recurring/*'],
    service: 'alerts',
    ...loaded(() => import('./silences/silences-page.tsx')),
  },
  {
    path: 'routing',
    title: (texts) => texts.pages.routing,
    service: 'alerts',
    ...loaded(() => import('./routing/routing-page.tsx')),
  },
  {
    path: 'notifications',
    title: (texts) => texts.pages.notifications,
    service: 'alerts',
    ...loaded(() => import('./notifications/notifications-page.tsx')),
  },
  {
    path: 'webhooks',
    title: (texts) => texts.pages.webhooks,
    places: ['run/*', 'new/*'],
    service: 'webhooks',
    ...loaded(() => import('./webhooks/webhooks-page.tsx')),
  },
  {
    path: 'status',
    title: (texts) => texts.pages.status,
    service: 'alerts',
    ...loaded(() => import('./status/status-page.tsx')),
  },
  {
    path: 'people',
    title: (texts) => texts.pages.people,
    places: ['services', 'new', 'import', 'invite', 'user/*'],
    service: 'auth',
    action: 'users:manage',
    ...loaded(() => import('./people/people-page.tsx')),
  },
  {
    path: 'sign-in',
    title: (texts) => texts.pages.signIn,
    isHidden: true,
    ...loaded(() => import('./sign-in/sign-in-page.tsx')),
  },
]
