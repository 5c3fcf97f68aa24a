// The load hook of load.mjs: reports each file of ours under a dist folder.
let port;
let ours;

export function initialize({ port: given, root }) {
  port = given;
  ours = new RegExp(`^${root.replaceAll(/[.+]/g, '\\$&')}(?:packages/[^/]+|recipes)/dist/.*\\.js$`);
}

export function load(url, context, next) {
  if (ours.test(url)) port.postMessage(url);
  return next(url, context);
}
