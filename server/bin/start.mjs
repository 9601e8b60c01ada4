// npm start: installs what is missing, builds what is stale, and serves.
import { buildStale, installMissingForProduct, root } from './prepare.mjs';

process.chdir(root);
installMissingForProduct();
buildStale();
await import('./serve.mjs');
