import {
  filledText,
  listOf,
  mapping,
  oneOf,
  optional,
  required,
  type Schema,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import { isThemeValue, type SignInOptions, type Theme } from '@gatehouse/sign-in'

/** The section `pages`: the sign-in pages. */
export type PagesSection = Pick<SignInOptions, 'name' | 'after' | 'links' | 'theme'>

const value: Schema<string> = textLike(
  isThemeValue,
  'a CSS value without url() and ; { } < > \\ @',
  filledText,
)

const colors = {
  accent: optional(value, 'Buttons and links.'),
  onAccent: optional(value, 'Text on the accent.'),
  background: optional(value, 'Behind everything.'),
  surface: optional(value, 'The card.'),
  text: optional(value, 'Text.'),
  muted: optional(value, 'Text that explains.'),
  border: optional(value, 'Lines.'),
  danger: optional(value, 'Refusals.'),
  success: optional(value, 'What went well.'),
} as const

const theme: Schema<Theme> = mapping<Theme>(
  {
    ...colors,
    panel: optional(value, 'The panel of the layout `split`.'),
    dark: optional(
      mapping<NonNullable<Theme['dark']>>(colors, { title: 'AuthPagesDark' }),
      'Values that differ in the dark scheme.',
    ),
    scheme: withDefault(oneOf('system', 'light', 'dark'), 'system', 'The colour scheme.'),
    radius: optional(value, 'The radius of corners.'),
    font: optional(value, 'Fonts that devices have.'),
    logoHeight: optional(value, 'The height of the logo.'),
    layout: withDefault(oneOf('card', 'split', 'full'), 'card', 'How the form is laid out.'),
    logo: optional(filledText, 'The address of an image.'),
    icon: optional(
      filledText,
      'The address of the image of the browser’s tab. Default: the first letter of the name.',
    ),
  },
  { title: 'AuthPagesTheme' },
)

/** The schema of the section `pages`. */
export const pagesSection: Schema<PagesSection> = mapping<PagesSection>(
  {
    name: optional(filledText, 'The name of the app, as people know it. Default: the host.'),
    after: optional(
      filledText,
      'Where people go who have signed in and came from nowhere: a path, or an address of an allowed origin. Default: their account.',
    ),
    links: withDefault(
      listOf(
        mapping<{ label: string; href: string }>(
          {
            label: required(filledText, 'What it says.'),
            href: required(filledText, 'Where it leads.'),
          },
          { title: 'AuthPagesLink' },
        ),
      ),
      [],
      'Links below the form.',
    ),
    theme: withDefault(theme, {}, 'The [look](sign-in.md#your-look).'),
  },
  { title: 'AuthPages' },
)
