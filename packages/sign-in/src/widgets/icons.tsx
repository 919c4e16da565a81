import type { JSX } from 'preact'

const paths = {
  mail: 'M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5zM3.5 7l8.5 6 8.5-6',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2',
  message: 'M4 5h16v11H9l-4 4v-4H4z',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-6 7.5-6s6.5 2 7.5 6',
  key: 'M9.5 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 20c.7-3.5 3.3-5.2 6.5-5.2 1 0 2 .2 2.8.5M17.5 13.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM17.5 13.5V20M17.5 16.5H19M17.5 20H19.5',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  shield: 'M12 3l7.5 3v5.500c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.500V6zM9 12l2.2 2.200L15.2 10',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  building: 'M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  'eye-off':
    'M4 4l16 16M9.9 5.700A9 9 0 0 1 12 5.500c6 0 9.5 6.5 9.5 6.500a17 17 0 0 1-3.2 3.900M6.4 7.300A16 16 0 0 0 2.5 12S6 18.5 12 18.500a9 9 0 0 0 4.3-1.100M10 10a3 3 0 0 0 4.1 4.1',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  cross: 'M7 7l10 10M17 7L7 17',
  circle: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16z',
  alert: 'M12 8v5M12 16.500h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  back: 'M14.5 5.500L8 12l6.5 6.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  download: 'M12 4v11M7.5 11L12 15.5 16.5 11M5 20h14',
  print: 'M7 9V4h10v5M7 18H4V9h16v9h-3M7 14h10v6H7z',
  device: 'M4 5h16v11H4zM2.5 19.500h19',
  plus: 'M12 5v14M5 12h14',
  globe:
    'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c2.5 2.5 3.7 5.5 3.7 9s-1.2 6.5-3.7 9c-2.5-2.5-3.7-5.5-3.7-9S9.5 5.5 12 3z',
} as const

export type IconName = keyof typeof paths

/** A small picture beside a text, which says the same. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

/** Marks of providers as one colour-true path or several, by their rules: the mark alone beside neutral text. */
const marks: Readonly<Record<string, JSX.Element>> = {
  google: (
    <>
      <path
        fill="#4285f4"
        d="M21.6 12.200c0-.7-.060-1.4-.180-2H12v3.800h5.400a4.6 4.6 0 0 1-2 3v2.500h3.200c1.9-1.7 3-4.3 3-7.300z"
      />
      <path
        fill="#34a853"
        d="M12 22c2.7 0 5-.9 6.6-2.500L15.4 17c-.9.6-2 1-3.4 1-2.6 0-4.8-1.8-5.6-4.100H3.100v2.600A10 10 0 0 0 12 22z"
      />
      <path fill="#fbbc05" d="M6.4 13.900a6 6 0 0 1 0-3.800V7.500H3.100a10 10 0 0 0 0 9z" />
      <path
        fill="#ea4335"
        d="M12 6c1.5 0 2.8.5 3.8 1.500l2.9-2.800A10 10 0 0 0 3.1 7.500l3.3 2.600C7.2 7.7 9.4 6 12 6z"
      />
    </>
  ),
  apple: (
    <path
      fill="currentColor"
      d="M16.5 12.700c0-2.2 1.8-3.2 1.9-3.3-1-1.5-2.6-1.7-3.2-1.7-1.4-.1-2.7.8-3.3.8-.7 0-1.8-.8-2.9-.8-1.5 0-2.9.9-3.7 2.2-1.6 2.7-.4 6.8 1.1 9 .8 1.1 1.7 2.3 2.8 2.2 1.1 0 1.6-.7 2.9-.7 1.4 0 1.8.7 2.9.7 1.2 0 2-1.1 2.7-2.2.9-1.2 1.2-2.4 1.2-2.5 0 0-2.4-.9-2.4-3.700zM14.3 6.200c.6-.7 1-1.7.9-2.7-.9 0-1.9.6-2.6 1.3-.5.6-1 1.6-.9 2.6 1 .1 2-.5 2.6-1.200z"
    />
  ),
  github: (
    <path
      fill="currentColor"
      d="M12 2a10 10 0 0 0-3.2 19.500c.5.1.7-.2.7-.5v-1.700c-2.8.6-3.4-1.3-3.4-1.3-.5-1.1-1.1-1.4-1.1-1.4-.9-.6.1-.6.1-.6 1 .1 1.5 1 1.5 1 .9 1.5 2.3 1.1 2.9.8.1-.6.3-1.1.6-1.3-2.2-.3-4.6-1.1-4.6-5 0-1.1.4-2 1-2.7-.1-.3-.4-1.3.1-2.7 0 0 .8-.3 2.7 1a9.5 9.5 0 0 1 5 0c1.9-1.3 2.7-1 2.7-1 .5 1.4.2 2.4.1 2.7.6.7 1 1.6 1 2.7 0 3.9-2.3 4.7-4.6 5 .4.3.7.9.7 1.800V21c0 .3.2.6.7.5A10 10 0 0 0 12 2z"
    />
  ),
  facebook: (
    <path
      fill="#1877f2"
      d="M22 12a10 10 0 1 0-11.6 9.900v-7H7.900V12h2.500V9.800c0-2.5 1.5-3.9 3.8-3.9 1.1 0 2.2.2 2.2.2v2.500h-1.200c-1.2 0-1.6.8-1.6 1.600V12h2.700l-.4 2.900h-2.300v7A10 10 0 0 0 22 12z"
    />
  ),
  linkedin: (
    <path
      fill="#0a66c2"
      d="M20.5 2h-17A1.5 1.5 0 0 0 2 3.500v17A1.5 1.5 0 0 0 3.5 22h17a1.5 1.5 0 0 0 1.5-1.500v-17A1.5 1.5 0 0 0 20.5 2zM8 19H5V9.500h3zM6.5 8.200a1.7 1.7 0 1 1 0-3.5 1.7 1.7 0 0 1 0 3.500zM19 19h-3v-4.700c0-1.2-.4-2-1.5-2-.8 0-1.3.6-1.5 1.1-.1.2-.1.5-.1.700V19h-3V9.500h3v1.300c.4-.6 1.1-1.5 2.7-1.5 2 0 3.4 1.3 3.4 4z"
    />
  ),
}
const microsoft: JSX.Element = (
  <>
    <path fill="#f25022" d="M3 3h8.600v8.600H3z" />
    <path fill="#7fba00" d="M12.4 3H21v8.600h-8.600z" />
    <path fill="#00a4ef" d="M3 12.400h8.600V21H3z" />
    <path fill="#ffb900" d="M12.4 12.400H21V21h-8.600z" />
  </>
)

/** The mark of a provider; a plain sign for those without one. */
export function ProviderMark({ type }: { readonly type: string }): JSX.Element {
  const mark = /^azureadv2$/.test(type) ? microsoft : marks[type]
  if (mark === undefined) return <Icon name="globe" />
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      {mark}
    </svg>
  )
}

const names: Readonly<Record<string, string>> = {
  google: 'Google',
  apple: 'Apple',
  github: 'GitHub',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  azureadv2: 'Microsoft',
  wechat: 'WeChat',
}

/** The name of a provider as people know it: else its alias. */
export const providerName = (type: string, alias: string): string => names[type] ?? alias
