// The search of the site. Its index is a file of the site.

/** Guides come before references. VitePress sends this function to browsers as text, so it uses nothing from outside. */
const boostDocument = (id) => (id.includes('/api/') ? 0.2 : id.includes('/http/') ? 0.5 : 1)

export const search = {
  provider: 'local',
  options: { miniSearch: { searchOptions: { boostDocument } } },
}
