import {
  excluded,
  readSidebar,
  repository,
  toAnchor,
  toSiteLink,
  toSitePath,
  toSourcePath,
} from '../pages.mjs';

export default {
  lang: 'en',
  title: 'Aftermeet',
  description: 'The TypeScript toolkit for everything that happens after the meeting',
  // No file, so that no browser asks for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '..',
  srcExclude: excluded,
  rewrites: toSitePath,
  outDir: './dist',
  cacheDir: './node_modules/.cache',
  markdown: {
    // The other themes of Shiki have colours that WCAG calls too faint.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: toAnchor },
    config(md) {
      md.core.ruler.push('pages-of-the-repository', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === 'link_open') {
            token.attrSet('href', toSiteLink(token.attrGet('href'), toSourcePath(env)));
          }
          // Code may show {{ … }} of n8n and Liquid: it is no expression of Vue.
          if (token.type === 'code_inline') token.attrSet('v-pre', '');
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'First steps', link: '/docs/first-steps' },
      { text: 'All pages', link: '/docs/' },
      // No icon: when the site is served with --dev, VitePress asks another host for it.
      { text: 'GitHub', link: repository },
    ],
    sidebar: readSidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: { pattern: `${repository}/edit/main/:path` },
  },
};
