// npm run build: builds server and client. With the argument "e2e" it also compiles the e2e programs.
import { bin, build, installMissing, installMissingForProduct, run } from './prepare.mjs';

if (process.argv[2] === 'e2e') {
  installMissing();
  build();
  process.exitCode = run(process.execPath, [bin('typescript', 'tsc'), '-b', 'e2e']);
} else {
  installMissingForProduct();
  build();
}
