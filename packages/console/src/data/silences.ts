import { everyItem, type ListedSilence } from '@gatehouse/client'
import { client } from './services.ts'

/** All silences, the active ones first. Browsers keep their pages, and the server sends only those that have changed. */
export async function readSilences(signal: AbortSignal): Promise<readonly ListedSilence[]> {
  const all: ListedSilence[] = []
  const pages = everyItem(client.silences.page, { limit: 1_000 }, { signal })
  for await (const silence of pages) all.push(silence)
  return all
}
