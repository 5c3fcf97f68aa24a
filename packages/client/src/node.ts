// What runs on Node only: `@aftermeet/client` itself has no static import of a `node:` module.
export { keepAliveFetch } from './keep-alive-fetch.ts';
