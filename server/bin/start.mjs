// npm start: installs what is missing, builds what is stale, and serves.
import { buildStale, installMissing, root } from './prepare.mjs';

process.chdir(root);
installMissing();
buildStale();
await import('./serve.mjs');
