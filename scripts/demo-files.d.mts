/** See demo-files.mjs. */
export interface DemoPlace {
  readonly inboxPort: number
  readonly host: string
}
export function demoFiles(place: DemoPlace): Readonly<Record<string, string>>
export function forPlace(text: string, place: DemoPlace): string
