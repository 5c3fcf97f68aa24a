// The theme of VitePress with the fonts of the system. The style comes after the theme's own.
import theme from 'vitepress/theme-without-fonts';

// oxlint-disable-next-line import/no-unassigned-import -- a style has no value
import './style.css';

export default theme;
