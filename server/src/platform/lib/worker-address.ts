/**
 * URL of a worker's file: next to the bundle or, in tests, where workers are bundled
 * (`testing/bundle-workers.ts`).
 *
 * @param name of the source file, without `.ts`
 */
export function workerAddress(name: string): URL {
  const isBundled = !import.meta.url.endsWith('.ts');
  const folder = isBundled ? '.' : '../../../dist-workers';
  return new URL(`${folder}/${name}.js`, import.meta.url);
}
