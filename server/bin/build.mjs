// npm run build: server and client; with the argument "e2e" also the programs of e2e.
import { bin, build, installMissing, installMissingForProduct, run } from './prepare.mjs';

if (process.argv[2] === 'e2e') {
  installMissing();
  build();
  process.exitCode = run(process.execPath, [bin('typescript', 'tsc'), '-b', 'e2e']);
} else {
  installMissingForProduct();
  build();
}
