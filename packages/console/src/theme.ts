import { createTheme, localStorageColorSchemeManager } from '@mantine/core'

const dialog = {
  // Locking the scroll position would add a style element.
  lockScroll: false,
  transitionProps: { duration: 120 },
  // Else it were a second banner of the page.
  attributes: { header: { role: 'presentation' } },
}

/** Only what Mantine's static style sheet has: the security policy forbids styles that a script would add. */
export const theme = createTheme({
  primaryColor: 'teal',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // A finger does not hit less than 24 pixels.
    Button: {
      vars: (_: unknown, { size }: { size?: unknown }) => ({
        root: size === 'compact-xs' ? { '--button-height': '1.5rem' } : {},
      }),
    },
    Modal: { defaultProps: dialog },
    Drawer: { defaultProps: dialog },
    Menu: {
      defaultProps: {
        portalProps: { target: '#main' },
        // A menu may hold nothing but its items.
        withInitialFocusPlaceholder: false,
      },
    },
    Tooltip: {
      defaultProps: {
        events: { hover: true, focus: true, touch: true },
        // Elsewhere it were outside of all landmarks.
        portalProps: { target: '#main' },
      },
    },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'gatehouse-color-scheme' })
