// npm run sbom: writes the shipped packages as CycloneDX to sbom.json or to the named file. `npm sbom
// --omit=dev` would also omit packages that development shares, such as Express.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const [file = join(root, 'sbom.json')] = process.argv.slice(2);
const manifests = ['.', 'shared', 'packages/skill-format', 'server', 'client', 'e2e'].map(
  (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
);
const bom = createFullBom();
// npm names the product after its folder.
bom.metadata.component.name = manifests[0].name;
const shipped = shippedPackages();
bom.components = bom.components.filter((component) => shipped.has(component['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => shipped.has(ref) || ref === bom.metadata.component['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => shipped.has(to)) }));
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
process.stdout.write(`${shipped.size} packages are in ${file}.\n`);

/** Every package in the lock file, as npm describes it. */
function createFullBom() {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'],
    { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, shell: process.platform === 'win32' },
  );
  if (status !== 0) {
    process.stderr.write(stderr);
    process.exit(1);
  }
  return JSON.parse(stdout);
}

/** Transitive dependencies of our own packages, without optional tools that one of them may use. */
function shippedPackages() {
  const wanted = new Set(manifests.flatMap(({ dependencies }) => Object.keys(dependencies ?? {})));
  const tools = manifests.flatMap(({ devDependencies }) => Object.keys(devDependencies ?? {}));
  const isTool = (ref) => tools.includes(packageName(ref)) && !wanted.has(packageName(ref));
  const dependsOn = new Map(bom.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
  const ours = manifests.map(({ name, version }) => `${name}@${version}`);
  const direct = ours.flatMap((ref) => dependsOn.get(ref) ?? []);
  const found = new Set(direct.filter((ref) => wanted.has(packageName(ref))));
  for (const ref of found) {
    for (const next of (dependsOn.get(ref) ?? []).filter((each) => !isTool(each))) {
      found.add(next);
    }
  }
  return found;
}

function packageName(ref) {
  return ref.slice(0, ref.lastIndexOf('@'));
}
