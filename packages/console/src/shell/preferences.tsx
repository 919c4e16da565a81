import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Language, languageNames, useLanguage, useTexts } from '../texts/texts.ts'
import { chooseTimes, useTimeChoice, type Zone } from '../time/time-style.ts'
import { Icon } from '../widgets/icon.tsx'
import classes from './shell.module.css'

/** What this browser remembers of its user: colours, language, how times are shown. */
export function Preferences({
  onLanguage,
}: {
  onLanguage: (language: Language) => void
}): ReactNode {
  const { shell } = useTexts()
  const language = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          className={classes.preferences}
          variant="transparent"
          aria-label={shell.preferences}
        >
          <Icon name="settings" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{shell.colorScheme}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}
        >
          {(['auto', 'light', 'dark'] as const).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {shell.schemes[scheme]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Times />
        <Menu.Label>{shell.language}</Menu.Label>
        <Menu.RadioGroup value={language} onChange={(language) => onLanguage(language as Language)}>
          {(Object.keys(languageNames) as Language[]).map((language) => (
            <Menu.RadioItem key={language} lang={language} value={language}>
              {languageNames[language]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}

function Times(): ReactNode {
  const { shell } = useTexts()
  const { zone, hasSeconds } = useTimeChoice()
  return (
    <>
      <Menu.Label>{shell.times}</Menu.Label>
      <Menu.RadioGroup
        value={zone}
        onChange={(chosen) => chooseTimes({ zone: chosen as Zone, hasSeconds })}
      >
        {(['local', 'utc'] as const).map((one) => (
          <Menu.RadioItem key={one} value={one}>
            {shell.zones[one]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.CheckboxItem
        checked={hasSeconds}
        onChange={(chosen) => chooseTimes({ zone, hasSeconds: chosen })}
      >
        {shell.seconds}
      </Menu.CheckboxItem>
    </>
  )
}
