// npm start: installs missing packages, builds stale parts, and starts the server.
import { watchLauncher } from './launcher.mjs';
import { buildStale, installMissingForProduct, root } from './prepare.mjs';
import { serverScript, supervise } from './supervise.mjs';

const isOrphaned = process.env.npm_lifecycle_event === 'start' ? watchLauncher() : () => false;
process.chdir(root);
warnOfOldNode();
installMissingForProduct();
buildStale();
supervise(serverScript, isOrphaned);

/** Node 20 has had no security updates since April 2026 (https://nodejs.org/en/about/previous-releases). */
function warnOfOldNode() {
  if (Number.parseInt(process.versions.node, 10) < 22) {
    process.stderr.write(
      `Node ${process.versions.node} no longer gets security updates. Use Node 22 or 24.\n`,
    );
  }
}
