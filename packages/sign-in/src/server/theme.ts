/** The look of the pages. Every member is a CSS value; those left out have the built-in look. */
export interface ThemeValues {
  /** Buttons, links and the focus (default `#18181b`). */
  readonly accent?: string | undefined
  /** Text on the accent (default white). */
  readonly onAccent?: string | undefined
  /** Behind everything. */
  readonly background?: string | undefined
  /** The card. */
  readonly surface?: string | undefined
  readonly text?: string | undefined
  /** Text that explains. */
  readonly muted?: string | undefined
  readonly border?: string | undefined
  readonly danger?: string | undefined
  readonly success?: string | undefined
  /** The panel beside the form of the layout `split`: a colour or a gradient. */
  readonly panel?: string | undefined
}

/** The look of the pages, and what is shown with it. */
export interface Theme extends ThemeValues {
  /** Values that differ in the dark scheme. */
  readonly dark?: Omit<ThemeValues, 'panel'> | undefined
  /** Which scheme is shown (default `system`: as the reader's device is set). */
  readonly scheme?: 'light' | 'dark' | 'system' | undefined
  /** The radius of corners, such as `8px`. */
  readonly radius?: string | undefined
  /** The names of fonts that devices have, such as `Inter, system-ui`. */
  readonly font?: string | undefined
  /** The height of the logo, such as `40px`. */
  readonly logoHeight?: string | undefined
  /** `card` (default), `split` with a panel beside the form, or `full` without a card. */
  readonly layout?: 'card' | 'split' | 'full' | undefined
  /** The address of an image: a path of this server, or an `https:` address, which the policy of the pages then allows. */
  readonly logo?: string | undefined
  /** The image of the browser's tab, likewise (default: the first letter of the name, on the accent). */
  readonly icon?: string | undefined
}

/** The built-in colours: light, dark. */
const colors = {
  accent: ['#18181b', '#fafafa'],
  onAccent: ['#ffffff', '#18181b'],
  background: ['#f4f4f5', '#09090b'],
  surface: ['#ffffff', '#18181b'],
  text: ['#18181b', '#f4f4f5'],
  muted: ['#62626b', '#a9a9b3'],
  border: ['#d9d9de', '#3a3a42'],
  danger: ['#b42318', '#ff9b8f'],
  success: ['#157347', '#6fd8a5'],
} as const

/** Of these, one value serves both schemes: they are of a brand. */
const brandColors: ReadonlySet<string> = new Set(['accent', 'onAccent', 'danger', 'success'])

const sizes = { radius: '10px', font: 'system-ui, sans-serif', logoHeight: '36px' } as const
const defaultPanel = 'linear-gradient(160deg, #27272a, #09090b)'

/**
 * The theme as a style sheet of custom properties.
 *
 * @throws {TypeError} if a value could end its declaration, or would load something.
 */
export function themeStyles(theme: Theme): string {
  const { scheme = 'system', dark = {} } = theme
  const colorLines = (Object.keys(colors) as (keyof typeof colors)[]).map((name) => {
    const [light, ofDark] = colors[name]
    const shared = brandColors.has(name) ? theme[name] : undefined
    return `${propertyOf(name)}: light-dark(${checked(name, theme[name] ?? light)}, ${checked(name, dark[name] ?? shared ?? ofDark)});`
  })
  const sizeLines = (Object.keys(sizes) as (keyof typeof sizes)[]).map(
    (name) => `${propertyOf(name)}: ${checked(name, theme[name] ?? sizes[name])};`,
  )
  const lines = [
    `color-scheme: ${scheme === 'system' ? 'light dark' : scheme};`,
    ...colorLines,
    ...sizeLines,
    `--gh-panel: ${checked('panel', theme.panel ?? defaultPanel)};`,
  ]
  return `:root {\n  ${lines.join('\n  ')}\n}\n`
}

const propertyOf = (name: string): string =>
  `--gh-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Whether a text can be a value of a theme: it neither ends its declaration nor loads anything. */
export const isThemeValue = (value: string): boolean =>
  /^[^;{}<>\\@]{1,500}$/.test(value) && !/\burl\s*\(|\/\*/i.test(value)

function checked(name: string, value: string): string {
  if (isThemeValue(value)) return value
  throw new TypeError(
    `theme.${name} must be a CSS value without ; { } < > \\ @ and url(), got "${value}"`,
  )
}
