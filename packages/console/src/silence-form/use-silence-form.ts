import { useQuery } from '@tanstack/react-query'
import { loadFiles } from '../data/load-files.ts'
import type { SilenceForm } from './silence-form.tsx'

/** The form of a silence, once its files are there: a page that seldom needs it loads without them. */
export const useSilenceForm = (isNeeded: boolean): typeof SilenceForm | undefined =>
  useQuery({
    queryKey: ['files', 'silence-form'],
    queryFn: async () => (await loadFiles(() => import('./silence-form.tsx'))).SilenceForm,
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data
