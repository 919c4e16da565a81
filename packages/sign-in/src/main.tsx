import './styles.css'
import { render } from 'preact'
import { App, FlowPage } from './app.tsx'
import { readSettings } from './settings.ts'
import { loadTexts } from './texts/texts.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no element with the id "root"')
const settings = readSettings()
const [first, Page] = await Promise.all([
  loadTexts(settings.language),
  // Who signs in does not load the account.
  settings.page === 'account'
    ? import('./account/account-page.tsx').then(({ AccountPage }) => AccountPage)
    : FlowPage,
])
render(<App settings={settings} first={first} Page={Page} />, root)
