import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { ServiceName } from '../data/services.ts'
import type { Texts } from '../texts/texts.ts'

/** A page of the console, loaded when it is opened. */
export interface ConsolePage {
  /** The first segment of its address. */
  readonly path: string
  readonly title: (texts: Texts) => string
  /** The page is there if this service is; without it, always. */
  readonly service?: ServiceName
  readonly Content: LazyExoticComponent<ComponentType>
}

export const pages: readonly ConsolePage[] = [
  {
    path: 'alerts',
    title: (texts) => texts.pages.alerts,
    service: 'alerts',
    Content: lazy(() => import('./alerts/alerts-page.tsx')),
  },
  {
    path: 'silences',
    title: (texts) => texts.pages.silences,
    service: 'alerts',
    Content: lazy(() => import('./silences/silences-page.tsx')),
  },
  {
    path: 'notifications',
    title: (texts) => texts.pages.notifications,
    service: 'alerts',
    Content: lazy(() => import('./notifications/notifications-page.tsx')),
  },
  {
    path: 'status',
    title: (texts) => texts.pages.status,
    service: 'alerts',
    Content: lazy(() => import('./status/status-page.tsx')),
  },
]
