import './styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { firstLanguage, loadTexts } from './texts/texts.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no element with the id "root"')
const first = await loadTexts(firstLanguage())
createRoot(root).render(
  <StrictMode>
    <App first={first} />
  </StrictMode>,
)
