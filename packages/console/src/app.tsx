import { MantineProvider } from '@mantine/core'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { noteRequest } from './data/live.ts'
import { Shell } from './shell/shell.tsx'
import { type LanguageTexts, loadTexts, rememberLanguage, TextsContext } from './texts/texts.ts'
import { colorSchemeManager, theme } from './theme.ts'

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onSuccess: () => noteRequest(undefined), onError: noteRequest }),
  defaultOptions: {
    // A server on this machine or in the same network answers also where the browser sees no internet.
    queries: { retry: false, staleTime: 1_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** The whole page: its theme, its language, its data. */
export function App({ first }: { first: LanguageTexts }): ReactNode {
  const [texts, setTexts] = useState(first)
  useEffect(() => {
    document.documentElement.lang = texts.language
  }, [texts])
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <TextsContext value={texts}>
          <Shell
            onLanguage={(chosen) => {
              rememberLanguage(chosen)
              void loadTexts(chosen).then(setTexts)
            }}
          />
        </TextsContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
