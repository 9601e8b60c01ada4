// Serves what is built, as the image does. `npm start` builds first what is stale.
import { fileURLToPath } from 'node:url';
import { supervise } from './supervise.mjs';

supervise(fileURLToPath(new URL('../dist/main.js', import.meta.url)));
