// Sets the colour scheme before the first paint, so that a dark page does not flash white.
{
  const chosen = localStorage.getItem('gatehouse-color-scheme') ?? 'auto'
  const dark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}
