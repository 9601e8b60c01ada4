// Polyfill for Node 20, where `fs` has no `globSync`: the conformance suite imports it, but only
// calls it to find schemas on disk.
import { register } from 'node:module';

const inline = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const fs = inline(
  `export * from 'node:fs'; export const globSync = () => { throw new Error('There is no globSync.'); };`,
);
register(
  inline(`export const resolve = (name, context, next) =>
    name === 'fs' && context.parentURL?.includes('/conformance/')
      ? { url: ${JSON.stringify(fs)}, shortCircuit: true }
      : next(name, context);`),
);
