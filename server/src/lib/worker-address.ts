/**
 * Where the file of a worker is: beside the bundle that this is in or, in tests, where they bundle
 * the workers (`testing/bundle-workers.ts`).
 *
 * @param name of the source file, without `.ts`
 */
export function workerAddress(name: string): URL {
  const isBundled = !import.meta.url.endsWith('.ts');
  const folder = isBundled ? '.' : '../../dist-workers';
  return new URL(`${folder}/${name}.js`, import.meta.url);
}
