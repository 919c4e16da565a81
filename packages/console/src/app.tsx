import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { followServer } from './data/live.ts'
import { Shell } from './shell/shell.tsx'
import { firstLanguage, languages, rememberLanguage, TextsContext } from './texts/texts.ts'
import { colorSchemeManager, theme } from './theme.ts'

const queryClient = new QueryClient({
  defaultOptions: {
    // A server on this machine answers without a network; where it does not, the page shall say so.
    queries: { retry: false, staleTime: 1_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** The whole page: its theme, its language, its data. */
export function App(): ReactNode {
  const [language, setLanguage] = useState(firstLanguage)
  const texts = useMemo(() => ({ language, texts: languages[language] }), [language])
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  useEffect(() => followServer(queryClient), [])
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
              setLanguage(chosen)
            }}
          />
        </TextsContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
